import { RefusalError } from '../../refusal.ts';
import type { Tx } from '../../storage/storage.ts';
import type { Account } from '../accounts/account-store.ts';
import { findLiveAccount } from '../accounts/find-live-account.ts';
import { forgetMember } from '../accounts/members.ts';
import type { Forum } from '../forum.ts';
import { setAccountStatus } from './moderation-store.ts';
import { recordAudit } from './record-audit.ts';
import { mayActOn } from './staff.ts';

/** Suspends an account, or restores it, and says whose it is; for the console and the API alike. */
export async function suspendAccount(
  forum: Forum,
  tx: Tx,
  {
    actor,
    id,
    status,
    reason,
  }: {
    actor: Account;
    id: number;
    status: 'suspended' | 'active';
    reason: string;
  },
): Promise<Account & { handle: string }> {
  const target = await findLiveAccount(forum, tx.db, id);
  if (!mayActOn(actor, target)) {
    const detail =
      target.role === 'owner'
        ? 'The account of the owner cannot be suspended.'
        : 'Only the owner suspends or restores staff.';
    throw new RefusalError('forbidden', { detail });
  }
  await setAccountStatus(tx.db, id, status);
  forgetMember(forum, tx, target);
  await recordAudit(forum, tx, {
    actor,
    action: status === 'suspended' ? 'account_suspended' : 'account_restored',
    target_kind: 'account',
    target_id: id,
    reason,
  });
  return target;
}
