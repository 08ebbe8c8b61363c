import { RefusalError } from '../../refusal.ts';
import type { Tx } from '../../storage/storage.ts';
import type { Forum } from '../forum.ts';
import { addUsage, findUsage } from './account-store.ts';
import { storageView, type Usage } from './account-view.ts';

/** What storage counts apart (D-FORUM-28). */
export type StoredKind = 'posts' | 'notes' | 'sandbox';

/** Refuses with `storage_full` what would pass the quota of an account that stores so much. */
export function refuseOverQuota(usage: Usage, delta_bytes: number): void {
  const storage = storageView(usage);
  if (storage.used_total + delta_bytes > storage.quota) {
    throw new RefusalError('storage_full', { more: { storage, needed: delta_bytes } });
  }
}

/**
 * Counts `delta_bytes` more, or fewer, of what an account stores, in the unit of work that stores it. Refuses with
 * `storage_full` what would pass the quota; what does not grow always passes (D-FORUM-29).
 */
export async function takeStorage(
  { tallies }: Pick<Forum, 'tallies'>,
  tx: Tx,
  account_id: number,
  kind: StoredKind,
  delta_bytes: number,
): Promise<void> {
  if (delta_bytes > 0) refuseOverQuota(await findUsage(tx.db, account_id), delta_bytes);
  if (delta_bytes === 0) return;
  await addUsage(tx.db, account_id, kind, delta_bytes);
  tallies.forget(tx, String(account_id));
}
