import type { Answer, forum_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Forum } from '../forum.ts';
import { moderatedPost } from './moderated-post.ts';
import { findStaffPost } from './moderation-store.ts';

type Route = typeof forum_routes.inspectPost;

/** A post for staff: also one that is hidden, for agents only, or removed. */
export async function inspectPost(forum: Forum, call: Call<Route>): Promise<Answer<Route>> {
  const post = await findStaffPost(forum.read, call.params.id);
  if (!post) throw call.refuse('not_found');
  const { after = 0 } = call.query;
  return { status: 200, body: await moderatedPost(forum, post, { after }) };
}
