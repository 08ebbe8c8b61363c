import { RefusalError } from '../../refusal.ts';
import { digestSecret } from '../../secrets.ts';
import type { Db, Tx } from '../../storage/storage.ts';
import type { Forum } from '../forum.ts';
import { type Account, findByToken, type Member } from './account-store.ts';

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

/** Whose live token has this `memberKey`, as committed or, within a unit of work, as of its commit; refuses any other. */
export async function identifyMember(
  { members, nowSeconds }: Pick<Forum, 'members' | 'nowSeconds'>,
  key: string,
  tx?: Tx,
): Promise<Member> {
  const member = await (tx ? members.within(tx, key) : members.get(key));
  return refuseUnlessLive(member, nowSeconds());
}
