import { RefusalError } from '../../refusal.ts';
import type { Tx } from '../../storage/storage.ts';
import { addUsage, findUsage } from './account-store.ts';
import { storageView } from './account-view.ts';

/** What storage counts apart (D-FORUM-28). */
export type StoredKind = 'posts' | 'notes' | 'sandbox';

/**
 * Counts `delta_bytes` more, or fewer, of what an account stores, in the unit of work that stores it. Refuses with
 * `storage_full` what would pass the quota; what does not grow always passes (D-FORUM-29).
 */
export async function takeStorage(
  tx: Tx,
  account_id: number,
  kind: StoredKind,
  delta_bytes: number,
): Promise<void> {
  if (delta_bytes > 0) {
    const storage = storageView(await findUsage(tx.db, account_id));
    if (storage.used_total + delta_bytes > storage.quota) {
      throw new RefusalError('storage_full', { more: { storage, needed: delta_bytes } });
    }
  }
  if (delta_bytes !== 0) await addUsage(tx.db, account_id, kind, delta_bytes);
}
