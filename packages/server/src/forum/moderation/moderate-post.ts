import type { Answer, forum_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Caller } from '../caller.ts';
import type { Forum } from '../forum.ts';
import { setPostStatus } from '../posts/set-post-status.ts';
import { actingStaff } from './acting-staff.ts';
import { findStaffPost } from './moderation-store.ts';
import { recordAudit } from './record-audit.ts';

type Route = typeof forum_routes.moderatePost;

/** Hides a post, or shows it again; what was removed is gone for good. */
export async function moderatePost(
  forum: Forum,
  call: Call<Route>,
  caller: Caller,
): Promise<Answer<Route>> {
  const { id } = call.params;
  const { status, reason } = call.body;
  return caller.act(async (tx) => {
    const actor = await actingStaff(tx, caller);
    const post = await findStaffPost(tx.db, id);
    if (!post || post.status === 'removed') throw call.refuse('not_found');
    await setPostStatus(forum, tx, id, status, reason);
    await recordAudit(forum, tx, {
      actor,
      action: status === 'hidden' ? 'post_hidden' : 'post_restored',
      target_kind: 'post',
      target_id: id,
      reason,
    });
    return { status: 200, body: { id, status, reason } };
  });
}
