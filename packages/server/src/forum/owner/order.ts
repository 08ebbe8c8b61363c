import type { Tx } from '../../storage/storage.ts';
import type { Account } from '../accounts/account-store.ts';
import type { Forum } from '../forum.ts';
import { ownerAccount } from './session.ts';

/** Does something as the owner, in one unit of work, and answers what it answers. */
export function order<Done>(
  forum: Forum,
  work: (tx: Tx, owner: Account) => Promise<Done>,
): Promise<Done> {
  return forum.transact(async (tx) => work(tx, await ownerAccount(tx.db)));
}
