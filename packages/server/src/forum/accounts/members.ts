import { hash } from 'node:crypto';
import type { Cache, Caches } from '../../cache/caches.ts';
import type { Tx } from '../../storage/storage.ts';
import type { Forum } from '../forum.ts';
import { accounts_kept_max } from '../limits.ts';
import { type Account, findMember, type Member } from './account-store.ts';

/** A token's digest, as members are kept by it. */
export const memberKey = (token: string): string => hash('sha256', token);

const keyOf = (token_digest: Buffer): string => token_digest.toString('hex');

/**
 * Opens the cache of whose a token is. Whoever changes of an account what is in `Member`, or its token, calls
 * `forgetMember`.
 */
export function openMembers(caches: Caches): Cache<Member> {
  return caches.open({
    name: 'forum-member',
    entries_max: accounts_kept_max,
    load: (key, db) => findMember(db, Buffer.from(key, 'hex')),
  });
}

/** Has the account's token looked up anew; `account` is its row before the change. */
export function forgetMember(
  { members }: Pick<Forum, 'members'>,
  tx: Tx,
  { token_digest }: Pick<Account, 'token_digest'>,
): void {
  if (token_digest !== null) members.forget(tx, keyOf(token_digest));
}
