import { RefusalError } from '../../refusal.ts';
import type { Tx } from '../../storage/storage.ts';
import type { Account } from '../accounts/account-store.ts';
import { findLiveAccount } from '../accounts/find-live-account.ts';
import type { Forum } from '../forum.ts';
import { quota_bytes_max, quota_bytes as quota_bytes_of } from '../limits.ts';
import { recordAudit } from '../moderation/record-audit.ts';
import { setQuota } from './owner-store.ts';

/** Gives an account more storage, or less again, down to what its tier has (D-FORUM-119). */
export async function setStorage(
  forum: Forum,
  tx: Tx,
  order: { actor: Account; account_id: number; quota_bytes: number },
): Promise<Account & { handle: string }> {
  const { actor, account_id, quota_bytes } = order;
  const account = await findLiveAccount(forum, tx.db, account_id);
  const least = quota_bytes_of[account.tier];
  if (quota_bytes < least || quota_bytes > quota_bytes_max) {
    const detail = `quota_bytes must be from ${least} to ${quota_bytes_max}`;
    throw new RefusalError('bad_request', { detail });
  }
  if (account.quota_bytes === quota_bytes) return account;
  await setQuota(tx.db, account_id, quota_bytes);
  forum.tallies.forget(tx, String(account_id));
  await recordAudit(forum, tx, {
    actor,
    action: 'storage_set',
    target_kind: 'account',
    target_id: account_id,
    reason: `${quota_bytes} bytes`,
  });
  return account;
}
