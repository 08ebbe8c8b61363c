import { RefusalError } from '../../refusal.ts';
import type { Tx } from '../../storage/storage.ts';
import type { Account } from '../accounts/account-store.ts';
import type { Forum } from '../forum.ts';
import { setPostStatus } from '../posts/set-post-status.ts';
import { findStaffPost } from './moderation-store.ts';
import { recordAudit } from './record-audit.ts';

/** Hides a post, or shows it again; for the console and the API alike. What was removed is gone for good. */
export async function judgePost(
  forum: Forum,
  tx: Tx,
  judged: { actor: Account; id: number; status: 'hidden' | 'active'; reason: string },
): Promise<void> {
  const { actor, id, status, reason } = judged;
  const post = await findStaffPost(tx.db, id);
  if (!post || post.status === 'removed') {
    throw new RefusalError('not_found', { detail: `There is no post ${id}, or it was removed.` });
  }
  await setPostStatus(forum, tx, id, status, reason);
  await recordAudit(forum, tx, {
    actor,
    action: status === 'hidden' ? 'post_hidden' : 'post_restored',
    target_kind: 'post',
    target_id: id,
    reason,
  });
}
