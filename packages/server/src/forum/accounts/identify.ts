import { RefusalError } from '../../refusal.ts';
import { digestSecret } from '../../secrets.ts';
import type { Db } from '../../storage/storage.ts';
import type { Forum } from '../forum.ts';
import { type Account, findByToken, findStandingByToken } from './account-store.ts';

const headers = { 'www-authenticate': 'Bearer' };

export const unauthorized = () => new RefusalError('unauthorized', { headers });

type Standing = Pick<Account, 'status' | 'expires_at'>;

/** Refuses the token of an account that is no more, or is suspended. */
function refuseUnlessLive<A extends Standing>(account: A | undefined, now_s: number): A {
  if (!account || account.status === 'deleted') throw unauthorized();
  if (account.expires_at !== null && account.expires_at <= now_s) throw unauthorized();
  if (account.status === 'suspended') throw new RefusalError('account_suspended', { headers });
  return account;
}

/**
 * The account of a live token; refuses any other. With the `db` of a unit of work it says so as of its
 * commit: a token may be replaced, and an account end, between a request's admission and its writing.
 */
export async function identify(
  { nowSeconds }: Pick<Forum, 'nowSeconds'>,
  db: Db,
  token: string,
): Promise<Account> {
  return refuseUnlessLive(await findByToken(db, digestSecret(token)), nowSeconds());
}

/** Refuses a token that `identify` would, for who knows the account already: most of its row is not read. */
export async function assertLive(
  { nowSeconds }: Pick<Forum, 'nowSeconds'>,
  db: Db,
  token: string,
): Promise<void> {
  refuseUnlessLive(await findStandingByToken(db, digestSecret(token)), nowSeconds());
}
