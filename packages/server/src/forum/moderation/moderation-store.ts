import type { Kysely, Selectable } from 'kysely';
import type { AccountTables, PostTables, ReportTables } from '../tables.ts';

type Db = Kysely<AccountTables & PostTables & ReportTables>;

/** A post with what staff see of its author. */
export type StaffPost = Selectable<PostTables['forum_post']> & {
  readonly author: string | null;
  readonly author_display_name: string;
  readonly author_audit_id: string;
};

const selectPosts = (db: Db) =>
  db
    .selectFrom('forum_post')
    .innerJoin('forum_account', 'forum_account.id', 'forum_post.author_id')
    .selectAll('forum_post')
    .select([
      'forum_account.handle as author',
      'forum_account.display_name as author_display_name',
      'forum_account.audit_id as author_audit_id',
    ]);

/** A post or reply, whatever became of it. */
export function findStaffPost(db: Db, id: number): Promise<StaffPost | undefined> {
  return selectPosts(db).where('forum_post.id', '=', id).executeTakeFirst();
}

/** Replies of a thread after one, in order, hidden and removed ones too. */
export function listStaffReplies(
  db: Db,
  page: { thread_id: number; after: number; limit: number },
): Promise<StaffPost[]> {
  return (
    selectPosts(db)
      .where('forum_post.thread_id', '=', page.thread_id)
      // The root has the lowest id of its thread.
      .where('forum_post.id', '>', Math.max(page.after, page.thread_id))
      .orderBy('forum_post.id')
      .limit(page.limit)
      .execute()
  );
}

export async function setAccountStatus(
  db: Db,
  id: number,
  status: 'active' | 'suspended',
): Promise<void> {
  await db.updateTable('forum_account').set({ status }).where('id', '=', id).execute();
}
