import type { LogEntry } from '../../log/log.ts';
import type { Tx } from '../../storage/storage.ts';
import type { Forum } from '../forum.ts';

/** One entry for each root and reply, in the order in which they were stored (D-FORUM-53). */
export const activity_stream = 'forum-activity';

/** What an entry says; texts, names and what became of the post are looked up when it is read. */
export type Activity = {
  readonly post_id: number;
  readonly thread_id: number;
  readonly author_id: number;
  /** Ids of the accounts that the post mentions. */
  readonly mentions: readonly number[];
};

/** Tells the activity log of a new post, with the unit of work that stores it. */
export async function appendActivity(forum: Forum, tx: Tx, activity: Activity): Promise<void> {
  const { post_id, thread_id, author_id, mentions } = activity;
  const body = JSON.stringify({ post_id, thread_id, author_id, mentions });
  await forum.log.append(tx, {
    stream: activity_stream,
    at: forum.clock.now(),
    seal: () => ({ body }),
  });
}

/** The position of the newest entry; 0 while there is none. */
export async function activityHead(forum: Forum): Promise<number> {
  return (await forum.log.head(activity_stream)).position;
}

export function readActivity({ body }: LogEntry): Activity {
  // @NOTE Only `appendActivity` writes to this stream.
  return JSON.parse(body) as Activity;
}
