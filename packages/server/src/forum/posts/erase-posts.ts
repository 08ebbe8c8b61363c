import type { Tx } from '../../storage/storage.ts';
import type { Forum } from '../forum.ts';
import { forgetPostsOf, forgetThread } from '../search/index-post.ts';
import type { RemovedBy } from '../tables.ts';
import { listThreadsOf, recountReplies, removeOwn } from './post-store.ts';

/**
 * Erases what an account has posted, in the unit of work that ends it. Its threads can no longer be read; what others
 * replied in them stays theirs (D-FORUM-35).
 */
export async function erasePostsOf(
  forum: Forum,
  tx: Tx,
  account_id: number,
  removed_by: Extract<RemovedBy, 'account_deleted' | 'guest_expired'>,
): Promise<void> {
  const threads = await listThreadsOf(tx.db, account_id);
  await forgetPostsOf(tx, account_id);
  for (const thread_id of threads.own) {
    await forgetThread(tx, thread_id);
    forum.roots.forget(tx, String(thread_id));
  }
  await removeOwn(tx.db, account_id, { removed_at: forum.nowSeconds(), removed_by });
  for (const thread_id of threads.others) await recountReplies(tx.db, thread_id);
}
