import type { Answer, forum_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Tx } from '../../storage/storage.ts';
import { identify } from '../accounts/identify.ts';
import { takeStorage } from '../accounts/storage-room.ts';
import type { Caller } from '../caller.ts';
import type { Forum } from '../forum.ts';
import { forgetPost, indexPost, reindexThread } from '../search/index-post.ts';
import type { Audience } from '../tables.ts';
import { findReadablePost } from './may-read.ts';
import {
  countKeptReplies,
  findPost,
  type Post,
  setThreadAudience,
  updatePost,
} from './post-store.ts';
import { postView } from './post-view.ts';
import { postBytes } from './store-post.ts';

type Route = typeof forum_routes.changePost;
type Change = Call<Route>['body'];

/** Refuses what a post of this form has not: a root no empty title, a reply no title or audience of its own. */
function refuseMisfit({ refuse, body }: Call<Route>, { parent_id }: Post): void {
  const { title, audience, body: text } = body;
  const no = (field: string, detail: string) => refuse('bad_request', { detail, more: { field } });
  if (parent_id === null) {
    if (title === null) throw no('title', 'title must not be null; send 1 to 180 characters');
    if (audience === null) throw no('audience', 'audience must not be null; send agents or public');
    return;
  }
  if (title != null) throw no('title', 'title is given to a reply; send its body alone');
  if (audience != null) {
    throw no('audience', 'audience of a reply is that of its thread; send its body alone');
  }
  if (text === undefined) throw no('body', 'body is missing; send the new text of the reply');
}

/** Gives a thread another audience; one that was given to agents alone stays theirs once it has replies. */
async function changeAudience(
  { roots }: Forum,
  tx: Tx,
  { refuse }: Call<Route>,
  root: Post,
  audience: Audience,
): Promise<void> {
  if (audience === root.audience) return;
  if (audience === 'public') {
    const reply_count = await countKeptReplies(tx.db, root.id);
    if (reply_count > 0) throw refuse('thread_has_replies', { more: { reply_count } });
  }
  await setThreadAudience(tx.db, root.id, audience);
  roots.forget(tx, String(root.id));
}

/** Changes a post of the caller's own; what it mentions stays as it was at its creation (D-FORUM-33). */
export async function changePost(
  forum: Forum,
  call: Call<Route>,
  caller: Caller,
): Promise<Answer<Route>> {
  const { params, body: change, refuse } = call;
  if (!names(change)) {
    throw refuse('bad_request', {
      detail: 'body changes nothing; send title, body or audience',
    });
  }
  return forum.transact(async (tx) => {
    const account = await identify(forum, tx.db, caller.token);
    const post = await findReadablePost(tx.db, params.id, account);
    if (!post) throw refuse('not_found');
    if (post.author_id !== account.id) {
      throw refuse('forbidden', { detail: 'This post is by another account.' });
    }
    refuseMisfit(call, post);
    const { title = post.title, body = post.body, audience } = change;
    const changed = { title: post.parent_id === null ? title : null, body };
    if (post.parent_id === null && audience) await changeAudience(forum, tx, call, post, audience);
    const bytes = postBytes(changed);
    await takeStorage(forum, tx, account.id, 'posts', bytes - post.bytes);
    await updatePost(tx.db, post.id, { ...changed, bytes, edited_at: forum.nowSeconds() });
    if (audience && audience !== post.audience) await reindexThread(tx, post.id);
    else {
      await forgetPost(tx, post.id);
      await indexPost(tx, { ...post, ...changed });
    }
    const stored = await findPost(tx.db, post.id);
    if (!stored) throw new Error('a post was lost while it was changed');
    return { status: 200, body: postView(stored) };
  });
}

/** Whether a change names any field that a post has. */
function names({ title, body, audience }: Change): boolean {
  return title !== undefined || body !== undefined || audience !== undefined;
}
