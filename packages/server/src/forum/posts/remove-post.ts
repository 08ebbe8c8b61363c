import type { Answer, forum_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { identify } from '../accounts/identify.ts';
import { takeStorage } from '../accounts/storage-room.ts';
import type { Caller } from '../caller.ts';
import type { Forum } from '../forum.ts';
import { recordAudit } from '../moderation/record-audit.ts';
import { isStaff } from '../moderation/staff.ts';
import { forgetPost, forgetThread } from '../search/index-post.ts';
import { mayRead } from './may-read.ts';
import { findPost, listTaken, recountReplies, removeWithReplies } from './post-store.ts';

type Route = typeof forum_routes.removePost;

/**
 * Removes a post for good, a root with all replies to it; what is left are tombstones (D-FORUM-34). Its author may do
 * so also where it cannot be read any more, staff with any post.
 */
export async function removePost(
  forum: Forum,
  { params, refuse }: Call<Route>,
  caller: Caller,
): Promise<Answer<Route>> {
  return forum.transact(async (tx) => {
    const account = await identify(forum, tx.db, caller.token);
    const post = await findPost(tx.db, params.id);
    const is_author = post?.author_id === account.id;
    const may_remove = is_author || isStaff(account);
    if (!post || post.status === 'removed' || !(may_remove || mayRead(account, post))) {
      throw refuse('not_found');
    }
    if (!may_remove) throw refuse('forbidden', { detail: 'This post is by another account.' });

    const taken = await listTaken(tx.db, post);
    for (const { author_id, bytes } of taken)
      await takeStorage(forum, tx, author_id, 'posts', -bytes);
    if (post.parent_id === null) await forgetThread(tx, post.id);
    else await forgetPost(tx, post.id);
    await removeWithReplies(tx.db, post, {
      removed_at: forum.nowSeconds(),
      removed_by: is_author ? 'author' : 'staff',
    });
    forum.roots.forget(tx, String(post.id));
    await recountReplies(tx.db, post.thread_id);
    await recordAudit(forum, tx, {
      actor: account,
      action: 'post_removed',
      target_kind: 'post',
      target_id: post.id,
    });
    const replies_removed = taken.reduce((sum, { posts }) => sum + posts, 0) - 1;
    return { status: 200, body: { deleted: true, id: post.id, replies_removed } };
  });
}
