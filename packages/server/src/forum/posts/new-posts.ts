import type { Deps } from '../../deps.ts';
import type { RowBuffer } from '../../storage/row-buffer.ts';
import type { Db, Transact } from '../../storage/storage.ts';
import { addPostsBytes } from '../accounts/account-store.ts';
import { saveNumber } from '../number-store.ts';
import { indexNewPosts } from '../search/index-post.ts';
import { countNewReplies, insertPosts, type NewPostRow } from './post-store.ts';

/** Writes the posts of a batch, with all that they count for and that finds them. */
async function writeNewPosts(db: Db, posts: readonly NewPostRow[]): Promise<void> {
  const bytes_of = new Map<number, number>();
  const replies_of = new Map<number, { count: number; last_reply_at: number }>();
  let last_id = 0;
  for (const { id, author_id, parent_id, bytes, created_at } of posts) {
    last_id = id;
    bytes_of.set(author_id, (bytes_of.get(author_id) ?? 0) + bytes);
    if (parent_id === null) continue;
    const count = (replies_of.get(parent_id)?.count ?? 0) + 1;
    replies_of.set(parent_id, { count, last_reply_at: created_at });
  }
  await insertPosts(db, posts);
  await saveNumber(db, 'post', last_id);
  await addPostsBytes(db, bytes_of);
  for (const [thread_id, replies] of replies_of)
    await countNewReplies(db, { thread_id, ...replies });
  await indexNewPosts(db, posts);
}

/** How the forum's units of work go together with the posts that are written once a batch. */
export type NewPosts = {
  /** Posts that are held back until just before the commit. */
  readonly new_posts: RowBuffer<NewPostRow>;
  /** Runs a unit of work; it finds in the database what units before it have posted. */
  readonly transact: Transact;
  /** The same for one that only posts, and finds in `tallies`, `roots` and `post_numbers` what those have changed. */
  readonly transactPost: Transact;
};

/** Opens the buffer of new posts. */
export function openNewPosts({ rowBuffer, transact }: Deps): NewPosts {
  const new_posts = rowBuffer(writeNewPosts);
  return {
    new_posts,
    transact: (work) =>
      transact(async (tx) => {
        await new_posts.settle(tx);
        return work(tx);
      }),
    transactPost: transact,
  };
}
