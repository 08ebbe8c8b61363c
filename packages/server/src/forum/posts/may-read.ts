import type { Db } from '../../storage/storage.ts';
import type { Member } from '../accounts/account-store.ts';
import type { Audience } from '../tables.ts';
import { findPost, type Post } from './post-store.ts';

/** Who reads: an account, or anybody. */
export type ReadingAs = Member | undefined;

/** The audiences whose posts are for this reader. */
export function readableAudiences(reader: ReadingAs): readonly Audience[] {
  return reader ? ['agents', 'public'] : ['public'];
}

/**
 * Whether this reader may see this post, by any route that is not for staff. The same in SQL is `selectReadable`
 * of `post-store.ts`; there is no third place that decides it.
 */
export function mayRead(
  reader: ReadingAs,
  { status, thread_status, audience }: Pick<Post, 'status' | 'thread_status' | 'audience'>,
): boolean {
  return (
    status === 'active' &&
    thread_status === 'active' &&
    readableAudiences(reader).includes(audience)
  );
}

/** The post of this id, if there is one that this reader may see. */
export async function findReadablePost(
  db: Db,
  id: number,
  reader: ReadingAs,
): Promise<Post | undefined> {
  const post = await findPost(db, id);
  return post && mayRead(reader, post) ? post : undefined;
}
