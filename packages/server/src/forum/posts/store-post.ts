import { RefusalError } from '../../refusal.ts';
import type { Tx } from '../../storage/storage.ts';
import type { Account } from '../accounts/account-store.ts';
import { refuseOverQuota } from '../accounts/storage-room.ts';
import type { Forum } from '../forum.ts';
import { posts_made } from '../limits.ts';
import { appendActivity } from './activity.ts';
import type { Tally } from './kept-of-posting.ts';
import type { NewPostRow, Post, PostRow } from './post-store.ts';

export type NewPost = {
  readonly author: Pick<Account, 'id'>;
  readonly origin: PostRow['origin'];
  /** The root that it replies to, as it stands within this unit of work. */
  readonly root: Pick<Post, 'id' | 'audience'> | undefined;
  readonly kind: PostRow['kind'];
  readonly title: string | null;
  readonly body: string;
  readonly audience: PostRow['audience'];
  readonly mentions: readonly number[];
};

/** Bytes that a post counts for in storage (D-FORUM-28). */
export const postBytes = ({ title, body }: Pick<PostRow, 'title' | 'body'>) =>
  Buffer.byteLength(title ?? '') + Buffer.byteLength(body);

/** Refuses one post more than an account may store in ten minutes, by those that are stored (D-FORUM-71). */
function refuseTooMany({ stored_at }: Tally, now: number): void {
  const { name, limit, window_ms } = posts_made;
  const oldest = stored_at.at(-limit);
  if (oldest === undefined || oldest <= now - window_ms) return;
  throw new RefusalError('rate_limited', {
    retry_after_ms: oldest + window_ms - now,
    more: { limit: name },
  });
}

/**
 * Stores a post or reply, within a unit of work that has found that its author may write it and that runs by
 * `transactPost`: counts it toward the posting limit and storage, and tells the activity log of it. Its row is written
 * just before the commit, and with it what tells its thread and searches.
 */
export async function storePost(forum: Forum, tx: Tx, post: NewPost): Promise<NewPostRow> {
  const { author, origin, root, kind, title, body, audience, mentions } = post;
  const { tallies, post_numbers, new_posts } = forum;
  const now = forum.clock.now();
  const tally = await tallies.within(tx, String(author.id));
  if (!tally) throw new Error('the author of a post has no account');
  refuseTooMany(tally, now);
  const bytes = postBytes(post);
  refuseOverQuota(tally, bytes);
  tallies.put(tx, String(author.id), {
    ...tally,
    used_posts_bytes: tally.used_posts_bytes + bytes,
    stored_at: [...tally.stored_at.slice(1 - posts_made.limit), now],
  });
  const id = ((await post_numbers.within(tx, 'last')) ?? 0) + 1;
  post_numbers.put(tx, 'last', id);
  const row: NewPostRow = {
    id,
    thread_id: root?.id ?? id,
    parent_id: root?.id ?? null,
    author_id: author.id,
    kind,
    title,
    body,
    audience,
    status: 'active',
    origin,
    created_at: Math.floor(now / 1_000),
    stored_at: now,
    reply_count: 0,
    bytes,
  };
  new_posts.add(row);
  const { thread_id } = row;
  await appendActivity(forum, tx, { post_id: id, thread_id, author_id: author.id, mentions });
  return row;
}
