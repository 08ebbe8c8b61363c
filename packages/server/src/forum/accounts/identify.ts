import { RefusalError } from '../../refusal.ts';
import { digestSecret } from '../../secrets.ts';
import type { Db } from '../../storage/storage.ts';
import type { Forum } from '../forum.ts';
import { type Account, findByToken } from './account-store.ts';

const headers = { 'www-authenticate': 'Bearer' };

export const unauthorized = () => new RefusalError('unauthorized', { headers });

/**
 * The account of a live token; refuses any other. With the `db` of a unit of work it says so as of its
 * commit: a token may be replaced, and an account end, between a request's admission and its writing.
 */
export async function identify(
  { nowSeconds }: Pick<Forum, 'nowSeconds'>,
  db: Db,
  token: string,
): Promise<Account> {
  const account = await findByToken(db, digestSecret(token));
  if (!account || account.status === 'deleted') throw unauthorized();
  if (account.expires_at !== null && account.expires_at <= nowSeconds()) throw unauthorized();
  if (account.status === 'suspended') throw new RefusalError('account_suspended', { headers });
  return account;
}
