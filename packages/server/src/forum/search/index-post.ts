import type { Tx } from '../../storage/storage.ts';
import { listFindable, type PostRow } from '../posts/post-store.ts';
import {
  deleteFindableOf,
  deleteFindablePost,
  deleteFindableThread,
  insertFindable,
} from './search-store.ts';
import { cutRuns } from './words.ts';

type Indexed = Pick<PostRow, 'id' | 'title' | 'body' | 'audience'>;

/** Lets searches find a post, from the commit on; it is active, in a thread that is, and was not found before. */
export async function indexPost(tx: Tx, { id, title, body, audience }: Indexed): Promise<void> {
  const title_runs = cutRuns(title ?? '').join(' ');
  const body_runs = cutRuns(body).join(' ');
  await insertFindable(tx.db, audience, { id, title_runs, body_runs });
}

/** Lets no search find a post any more. */
export const forgetPost = (tx: Tx, id: number) => deleteFindablePost(tx.db, id);

/** Lets no search find anything of a thread. */
export const forgetThread = (tx: Tx, thread_id: number) => deleteFindableThread(tx.db, thread_id);

/** Lets no search find anything of an account. */
export const forgetPostsOf = (tx: Tx, author_id: number) => deleteFindableOf(tx.db, author_id);

/** Lets searches find of a thread what they should by now, after its status or audience has changed. */
export async function reindexThread(tx: Tx, thread_id: number): Promise<void> {
  await forgetThread(tx, thread_id);
  for (const post of await listFindable(tx.db, thread_id)) await indexPost(tx, post);
}
