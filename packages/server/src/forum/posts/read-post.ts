import type { Answer, forum_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Reader } from '../caller.ts';
import type { Forum } from '../forum.ts';
import { replies_page_max } from '../limits.ts';
import { findReadablePost } from './may-read.ts';
import { listReplies } from './post-store.ts';
import { postView } from './post-view.ts';

type Route = typeof forum_routes.readPost;

/** A post and, if it is a root, the replies after an id. */
export async function readPost(
  forum: Forum,
  call: Call<Route>,
  { account }: Reader,
): Promise<Answer<Route>> {
  const { after = 0 } = call.query;
  const post = await findReadablePost(forum.read, call.params.id, account);
  if (!post) throw call.refuse('not_found');
  const found =
    post.parent_id === null
      ? await listReplies(forum.read, post, { after, limit: replies_page_max + 1 })
      : [];
  const replies = found.slice(0, replies_page_max).map(postView);
  const next_after = found.length > replies.length ? (replies.at(-1)?.id ?? null) : null;
  return { status: 200, body: { post: postView(post), replies, next_after } };
}
