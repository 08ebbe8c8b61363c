import type { Tx } from '../../storage/storage.ts';
import type { Forum } from '../forum.ts';
import { forgetPost, forgetThread, indexPost, reindexThread } from '../search/index-post.ts';
import { findPost, recountReplies, setStatus } from './post-store.ts';

/**
 * Hides a post that is not removed, or shows it again, in a moderator's unit of work: a hidden root hides its thread.
 * Counts of replies and searches follow.
 */
export async function setPostStatus(
  { roots }: Forum,
  tx: Tx,
  post_id: number,
  status: 'active' | 'hidden',
  reason: string,
): Promise<void> {
  const post = await findPost(tx.db, post_id);
  if (!post || post.status === 'removed') throw new Error('there is no such post to moderate');
  const hidden_reason = status === 'hidden' ? reason : null;
  await setStatus(tx.db, post_id, { status, hidden_reason });
  roots.forget(tx, String(post_id));
  if (status === post.status) return;
  if (post.parent_id === null) {
    if (status === 'hidden') await forgetThread(tx, post_id);
    else await reindexThread(tx, post_id);
    return;
  }
  await recountReplies(tx.db, post.thread_id);
  if (status === 'hidden') await forgetPost(tx, post_id);
  else if (post.thread_status === 'active') await indexPost(tx, post);
}
