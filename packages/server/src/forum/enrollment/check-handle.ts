import { RefusalError } from '../../refusal.ts';
import type { Db } from '../../storage/storage.ts';
import { findByHandle, wasHandle } from '../accounts/account-store.ts';
import { handleDigest, isHeldBack } from '../accounts/handle.ts';
import type { Forum } from '../forum.ts';
import { guest_handle_kept_s } from '../limits.ts';

/** Refuses a handle that is in use, was in use, or is held back (D-FORUM-22). */
export async function checkHandle(forum: Forum, db: Db, handle: string): Promise<void> {
  const guests_since = forum.nowSeconds() - guest_handle_kept_s;
  const is_taken =
    isHeldBack(handle) ||
    (await findByHandle(db, handle)) !== undefined ||
    (await wasHandle(db, handleDigest(forum, handle), guests_since));
  if (is_taken) throw new RefusalError('handle_taken');
}
