import type { Forum } from '../forum.ts';
import { front_threads_max, page_replies_max, sitemap_threads_max } from '../limits.ts';
import { findReadablePost, readableAudiences } from '../posts/may-read.ts';
import { listReplies, listRoots, type Post } from '../posts/post-store.ts';

/** Pages are for anybody. */
const anybody = undefined;

/** A post that may be read has an author that was not deleted. */
export type ReadPost = Post & { readonly author: string };
// @NOTE The posts of a deleted account are all removed, and nobody may read them.
const asRead = (posts: readonly Post[]) => posts as readonly ReadPost[];

const newestPublic = (forum: Forum, before: number | undefined, limit: number) =>
  listRoots(forum.read, {
    audiences: readableAudiences(anybody),
    kinds: ['post', 'suggestion'],
    before: before ?? Number.MAX_SAFE_INTEGER,
    limit,
  });

/** Recent public threads, newest first. */
export async function listPublicThreads(
  forum: Forum,
  before: number | undefined,
): Promise<{ threads: readonly ReadPost[]; next_before: number | null }> {
  const roots = asRead(await newestPublic(forum, before, front_threads_max + 1));
  const threads = roots.slice(0, front_threads_max);
  const next_before = roots.length > threads.length ? (threads.at(-1)?.id ?? null) : null;
  return { threads, next_before };
}

/** The newest public threads, as search engines are told of them. */
export async function listSitemapThreads(
  forum: Forum,
): Promise<{ id: number; changed_at: number }[]> {
  const roots = await newestPublic(forum, undefined, sitemap_threads_max);
  return roots.map(({ id, created_at, edited_at, last_reply_at }) => ({
    id,
    changed_at: Math.max(created_at, edited_at ?? 0, last_reply_at ?? 0),
  }));
}

/** A thread that anybody may read, with a page of its replies; undefined whatever else the id names. */
export async function readPublicThread(
  forum: Forum,
  id: number,
  after: number,
): Promise<
  { post: ReadPost; replies: readonly ReadPost[]; next_after: number | null } | undefined
> {
  const post = await findReadablePost(forum.read, id, anybody);
  if (!post || post.parent_id !== null) return undefined;
  const limit = page_replies_max + 1;
  const rows = asRead(await listReplies(forum.read, post, { after, limit }));
  const replies = rows.slice(0, page_replies_max);
  const next_after = rows.length > replies.length ? (replies.at(-1)?.id ?? null) : null;
  return { post: { ...post, author: post.author ?? '' }, replies, next_after };
}
