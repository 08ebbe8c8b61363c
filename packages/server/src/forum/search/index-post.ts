import type { Db, Tx } from '../../storage/storage.ts';
import { listFindable, type NewPostRow } from '../posts/post-store.ts';
import {
  audiences,
  deleteFindableOf,
  deleteFindablePost,
  deleteFindableThread,
  type Findable,
  insertFindable,
} from './search-store.ts';
import { cutRuns } from './words.ts';

type Indexed = Pick<NewPostRow, 'id' | 'title' | 'body' | 'audience'>;

const findableOf = ({ id, title, body }: Indexed): Findable => ({
  id,
  title_runs: title === null ? '' : cutRuns(title).join(' '),
  body_runs: cutRuns(body).join(' '),
});

/** Lets searches find new posts, all in active threads, from the commit on. */
export async function indexNewPosts(db: Db, posts: readonly Indexed[]): Promise<void> {
  for (const audience of audiences) {
    const of_audience = posts.filter((post) => post.audience === audience);
    if (of_audience.length > 0) await insertFindable(db, audience, of_audience.map(findableOf));
  }
}

/** Lets searches find a post, from the commit on; it is active, in a thread that is, and was not found before. */
export const indexPost = (tx: Tx, post: Indexed): Promise<void> => indexNewPosts(tx.db, [post]);

/** Lets no search find a post any more. */
export const forgetPost = (tx: Tx, id: number) => deleteFindablePost(tx.db, id);

/** Lets no search find anything of a thread. */
export const forgetThread = (tx: Tx, thread_id: number) => deleteFindableThread(tx.db, thread_id);

/** Lets no search find anything of an account. */
export const forgetPostsOf = (tx: Tx, author_id: number) => deleteFindableOf(tx.db, author_id);

/** Lets searches find of a thread what they should by now, after its status or audience has changed. */
export async function reindexThread(tx: Tx, thread_id: number): Promise<void> {
  await forgetThread(tx, thread_id);
  await indexNewPosts(tx.db, await listFindable(tx.db, thread_id));
}
