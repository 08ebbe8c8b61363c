import type { Answer, forum_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Caller } from '../caller.ts';
import type { Forum } from '../forum.ts';
import { activityHead } from '../posts/activity.ts';
import { moveDigestCursor } from './digest-store.ts';

type Route = typeof forum_routes.markDigestSeen;

/** Marks the digest as handled up to a position, so that the next one starts there; it never goes back (D-FORUM-54). */
export async function markDigestSeen(
  forum: Forum,
  call: Call<Route>,
  caller: Caller,
): Promise<Answer<Route>> {
  const { cursor } = call.body;
  const newest = await activityHead(forum);
  if (cursor > newest) {
    throw call.refuse('bad_request', {
      detail: 'cursor is beyond the newest entry; send the cursor of a digest',
      more: { field: 'cursor' },
    });
  }
  return caller.act(async (tx) => ({
    status: 200,
    body: { cursor: await moveDigestCursor(tx.db, caller.account.id, cursor) },
  }));
}
