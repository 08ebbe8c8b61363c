import { type Kysely, type Selectable, type SqlBool, sql } from 'kysely';
import { prepared } from '../../storage/prepared.ts';
import { preparedInsert } from '../../storage/prepared-insert.ts';
import type { AccountTables, Audience, PostTables, RemovedBy } from '../tables.ts';

type Tables = AccountTables & PostTables;
type Db = Kysely<Tables>;

export type PostRow = Selectable<PostTables['forum_post']>;

/** A post with what its thread and its author say of it. */
export type Post = PostRow & {
  readonly thread_status: PostRow['status'];
  readonly thread_title: string | null;
  readonly thread_author_id: number;
  /** Null of a deleted account, whose posts are all removed. */
  readonly author: string | null;
  readonly author_display_name: string;
};

const selectPosts = (db: Db) =>
  db
    .selectFrom('forum_post as post')
    .innerJoin('forum_post as thread', 'thread.id', 'post.thread_id')
    .innerJoin('forum_account as author', 'author.id', 'post.author_id')
    .selectAll('post')
    .select([
      'thread.status as thread_status',
      'thread.title as thread_title',
      'thread.author_id as thread_author_id',
      'author.handle as author',
      'author.display_name as author_display_name',
    ]);

/** What `mayRead` says, as conditions. */
const selectReadable = (db: Db, audiences: readonly Audience[]) =>
  selectPosts(db)
    .where('post.status', '=', 'active')
    .where('thread.status', '=', 'active')
    .where('post.audience', 'in', audiences);

const selectPost = prepared((db: Db, { id }: { id: number }) =>
  selectPosts(db).where('post.id', '=', id),
);

/** The post of this id, whatever became of it. */
export async function findPost(db: Db, id: number): Promise<Post | undefined> {
  const [post] = await selectPost(db, { id });
  return post;
}

/** Those of these posts that are for these audiences. */
export async function listReadable(
  db: Db,
  ids: readonly number[],
  audiences: readonly Audience[],
): Promise<Map<number, Post>> {
  if (ids.length === 0) return new Map();
  const rows = await selectReadable(db, audiences).where('post.id', 'in', ids).execute();
  return new Map(rows.map((post) => [post.id, post]));
}

export type RootsPage = {
  readonly audiences: readonly Audience[];
  readonly kinds: readonly ('post' | 'suggestion')[];
  /** An exclusive id. */
  readonly before: number;
  readonly limit: number;
};

/** Roots for these audiences, newest first. */
export function listRoots(db: Db, page: RootsPage): Promise<Post[]> {
  const { audiences, kinds, before, limit } = page;
  // Each audience and kind from its own end of the index, so that what is filtered out is never walked over.
  const [first, ...others] = audiences.flatMap((audience) =>
    kinds.map((kind) => {
      const newest = db
        .selectFrom('forum_post')
        .select('id')
        .where(sql<SqlBool>`status = 'active' and parent_id is null`)
        .where('audience', '=', audience)
        .where('kind', '=', kind)
        .where('id', '<', before)
        .orderBy('id', 'desc')
        .limit(limit);
      return db.selectFrom(newest.as('newest')).select('newest.id');
    }),
  );
  if (!first) return Promise.resolve([]);
  const ids = others.reduce((all, other) => all.unionAll(other), first);
  return selectReadable(db, audiences)
    .where('post.id', 'in', ids)
    .orderBy('post.id', 'desc')
    .limit(limit)
    .execute();
}

type RepliesPage = { thread_id: number; audience: Audience; after: number; limit: number };

const selectReplies = prepared((db: Db, { thread_id, audience, after, limit }: RepliesPage) =>
  selectPosts(db)
    .where('post.thread_id', '=', thread_id)
    .where('post.status', '=', 'active')
    .where('thread.status', '=', 'active')
    .where('post.audience', '=', audience)
    .where('post.id', '>', after)
    .orderBy('post.id')
    .limit(limit),
);

/**
 * The active replies of a thread after an id, for who was found to read its root as it was then: of a thread that was
 * given to others, hidden or removed since, there are none.
 */
export function listReplies(
  db: Db,
  { id, audience }: Pick<Post, 'id' | 'audience'>,
  { after, limit }: { after: number; limit: number },
): Promise<Post[]> {
  // The root has the lowest id of its thread.
  return selectReplies(db, { thread_id: id, audience, after: Math.max(after, id), limit });
}

/** An account's own posts that are not removed, hidden ones and those in lost threads too, after an id. */
export function listOwn(
  db: Db,
  { author_id, after, limit }: { author_id: number; after: number; limit: number },
): Promise<Post[]> {
  return selectPosts(db)
    .where('post.author_id', '=', author_id)
    .where('post.id', '>', after)
    .where('post.status', '!=', 'removed')
    .orderBy('post.id')
    .limit(limit)
    .execute();
}

const selectStoredAt = prepared(
  (db: Db, { author_id, count }: { author_id: number; count: number }) =>
    db
      .selectFrom('forum_post')
      .select('stored_at')
      .where('author_id', '=', author_id)
      .orderBy('id', 'desc')
      .limit(count),
);

/** When the account stored its last posts, removed ones too, at most `count` of them; the oldest first. */
export async function listStoredAt(db: Db, author_id: number, count: number): Promise<number[]> {
  const posts = await selectStoredAt(db, { author_id, count });
  return posts.map(({ stored_at }) => stored_at).reverse();
}

/** A post as it is stored first: active, and neither edited nor replied to. */
export type NewPostRow = Pick<PostRow, (typeof new_columns)[number]>;

const new_columns = [
  ...(['id', 'thread_id', 'parent_id', 'author_id', 'kind', 'title', 'body'] as const),
  ...(['audience', 'status', 'origin', 'created_at', 'stored_at', 'reply_count'] as const),
  'bytes',
] as const;

/** Stores new posts; what they count for is told elsewhere. */
export const insertPosts = preparedInsert<NewPostRow, Db>('forum_post', new_columns);

export async function updatePost(
  db: Db,
  id: number,
  change: Partial<Pick<PostRow, 'title' | 'body' | 'bytes' | 'edited_at'>>,
): Promise<void> {
  await db.updateTable('forum_post').set(change).where('id', '=', id).execute();
}

export async function setStatus(
  db: Db,
  id: number,
  change: Pick<PostRow, 'status' | 'hidden_reason'>,
): Promise<void> {
  await db.updateTable('forum_post').set(change).where('id', '=', id).execute();
}

/** Gives a whole thread another audience. */
export async function setThreadAudience(
  db: Db,
  thread_id: number,
  audience: Audience,
): Promise<void> {
  await db.updateTable('forum_post').set({ audience }).where('thread_id', '=', thread_id).execute();
}

type NewReplies = { thread_id: number; count: number; last_reply_at: number };

const raiseReplies = prepared((db: Db, { thread_id, count, last_reply_at }: NewReplies) =>
  db
    .updateTable('forum_post')
    .set((post) => ({ reply_count: post('reply_count', '+', count), last_reply_at }))
    .where('id', '=', thread_id),
);

/** Counts new replies of a thread. */
export async function countNewReplies(db: Db, replies: NewReplies): Promise<void> {
  await raiseReplies(db, replies);
}

/** Counts a thread's replies anew, by what is stored of them. */
export async function recountReplies(db: Db, thread_id: number): Promise<void> {
  const active = db
    .selectFrom('forum_post as reply')
    .where('reply.thread_id', '=', thread_id)
    .where('reply.status', '=', 'active')
    .where('reply.id', '>', thread_id);
  await db
    .updateTable('forum_post')
    .set({
      reply_count: active.select((of) => of.fn.countAll<number>().as('count')),
      last_reply_at: active.select((of) => of.fn.max('reply.created_at').as('last')),
    })
    .where('id', '=', thread_id)
    .execute();
}

/** Whether a thread has a reply that is not removed for good. */
export async function countKeptReplies(db: Db, thread_id: number): Promise<number> {
  const { count } = await db
    .selectFrom('forum_post')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('thread_id', '=', thread_id)
    .where('status', 'in', ['active', 'hidden'])
    .where('id', '>', thread_id)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** What a removal takes from whom, in bytes, and how many posts it is. */
export type Taken = { readonly author_id: number; readonly posts: number; readonly bytes: number };

const removable = ['active', 'hidden'] as const;

/** What is removed with a post: itself alone, or all of its thread if it is a root. */
const removedWith = (post: Pick<PostRow, 'id' | 'parent_id'>) =>
  post.parent_id === null ? ('thread_id' as const) : ('id' as const);

/** Whose posts a removal of `post` would take. */
export async function listTaken(db: Db, post: Pick<PostRow, 'id' | 'parent_id'>): Promise<Taken[]> {
  const rows = await db
    .selectFrom('forum_post')
    .select((of) => [
      'author_id',
      of.fn.countAll<number>().as('posts'),
      of.fn.sum<number>('bytes').as('bytes'),
    ])
    .where(removedWith(post), '=', post.id)
    .where('status', 'in', removable)
    .groupBy('author_id')
    .execute();
  return rows.map(({ author_id, posts, bytes }) => ({
    author_id,
    posts: Number(posts),
    bytes: Number(bytes),
  }));
}

export type Removal = { readonly removed_at: number; readonly removed_by: RemovedBy };

const tombstone = {
  status: 'removed',
  title: null,
  body: '',
  hidden_reason: null,
  bytes: 0,
} as const;

/** Makes tombstones of a post and, if it is a root, of its whole thread. */
export async function removeWithReplies(
  db: Db,
  post: Pick<PostRow, 'id' | 'parent_id'>,
  removal: Removal,
): Promise<void> {
  await db
    .updateTable('forum_post')
    .set({ ...tombstone, ...removal })
    .where(removedWith(post), '=', post.id)
    .where('status', 'in', removable)
    .execute();
}

/** Makes tombstones of all posts of an account. */
export async function removeOwn(db: Db, author_id: number, removal: Removal): Promise<void> {
  await db
    .updateTable('forum_post')
    .set({ ...tombstone, ...removal })
    .where('author_id', '=', author_id)
    .where('status', 'in', removable)
    .execute();
}

/** Threads of others in which an account has active replies, and threads of its own. */
export async function listThreadsOf(
  db: Db,
  author_id: number,
): Promise<{ own: number[]; others: number[] }> {
  const rows = await db
    .selectFrom('forum_post as post')
    .innerJoin('forum_post as thread', 'thread.id', 'post.thread_id')
    .select(['post.thread_id', 'thread.author_id'])
    .where('post.author_id', '=', author_id)
    .where('post.status', 'in', removable)
    .distinct()
    .execute();
  const ids = (is_own: boolean) =>
    rows
      .filter((row) => (row.author_id === author_id) === is_own)
      .map(({ thread_id }) => thread_id);
  return { own: ids(true), others: ids(false) };
}

type Found = { readonly id: number; readonly title: string | null; readonly body: string };

/** The active posts of a thread whose root is active. */
export function listFindable(
  db: Db,
  thread_id: number,
): Promise<(Found & { audience: Audience })[]> {
  return db
    .selectFrom('forum_post as post')
    .innerJoin('forum_post as thread', 'thread.id', 'post.thread_id')
    .select(['post.id', 'post.title', 'post.body', 'post.audience'])
    .where('post.thread_id', '=', thread_id)
    .where('post.status', '=', 'active')
    .where('thread.status', '=', 'active')
    .execute();
}
