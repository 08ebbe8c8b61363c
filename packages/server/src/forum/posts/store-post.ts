import { RefusalError } from '../../refusal.ts';
import type { Tx } from '../../storage/storage.ts';
import type { Account } from '../accounts/account-store.ts';
import { takeStorage } from '../accounts/storage-room.ts';
import type { Forum } from '../forum.ts';
import { posts_made } from '../limits.ts';
import { nextNumber } from '../number-store.ts';
import { indexPost } from '../search/index-post.ts';
import { appendActivity } from './activity.ts';
import { countNewReply, findStoredAt, insertPost, type Post, type PostRow } from './post-store.ts';

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
async function refuseTooMany(tx: Tx, author_id: number, now: number): Promise<void> {
  const { name, limit, window_ms } = posts_made;
  const oldest = await findStoredAt(tx.db, author_id, limit);
  if (oldest === undefined || oldest <= now - window_ms) return;
  throw new RefusalError('rate_limited', {
    retry_after_ms: oldest + window_ms - now,
    more: { limit: name },
  });
}

/**
 * Stores a post or reply in a unit of work that has found that its author may write it: counts it toward the posting
 * limit and storage, and tells its thread, the activity log and searches of it.
 */
export async function storePost(forum: Forum, tx: Tx, post: NewPost): Promise<PostRow> {
  const { author, origin, root, kind, title, body, audience, mentions } = post;
  const now = forum.clock.now();
  await refuseTooMany(tx, author.id, now);
  const bytes = postBytes(post);
  await takeStorage(tx, author.id, 'posts', bytes);
  const id = await nextNumber(tx.db, 'post');
  const row: PostRow = {
    id,
    thread_id: root?.id ?? id,
    parent_id: root?.id ?? null,
    author_id: author.id,
    kind,
    title,
    body,
    audience,
    status: 'active',
    hidden_reason: null,
    origin,
    created_at: Math.floor(now / 1_000),
    stored_at: now,
    edited_at: null,
    reply_count: 0,
    last_reply_at: null,
    bytes,
    removed_at: null,
    removed_by: null,
  };
  await insertPost(tx.db, row);
  if (root) await countNewReply(tx.db, root.id, row.created_at);
  await indexPost(tx, row);
  const { thread_id } = row;
  await appendActivity(forum, tx, { post_id: id, thread_id, author_id: author.id, mentions });
  return row;
}
