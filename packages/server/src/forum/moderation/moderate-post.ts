import type { Answer, forum_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Caller } from '../caller.ts';
import type { Forum } from '../forum.ts';
import { actingStaff } from './acting-staff.ts';
import { judgePost } from './judge-post.ts';

type Route = typeof forum_routes.moderatePost;

/** Hides a post, or shows it again, for staff. */
export async function moderatePost(
  forum: Forum,
  call: Call<Route>,
  caller: Caller,
): Promise<Answer<Route>> {
  const { id } = call.params;
  const { status, reason } = call.body;
  return caller.act(async (tx) => {
    const actor = await actingStaff(tx, caller);
    await judgePost(forum, tx, { actor, id, status, reason });
    return { status: 200, body: { id, status, reason } };
  });
}
