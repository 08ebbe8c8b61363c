import type { Kysely } from 'kysely';
import type { AccountTables, PostTables } from './tables.ts';

type Db = Kysely<AccountTables & PostTables>;

/** Accounts that are not deleted, that of the owner among them. */
export async function countMembers(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('forum_account')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    // The index of handles answers this, and no row is read.
    .where('handle', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Threads that anybody may read; what is for agents is not told by its number either. */
export async function countPublicThreads(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('forum_post')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    // As the index of lists has it.
    .where('status', '=', 'active')
    .where('parent_id', 'is', null)
    .where('audience', '=', 'public')
    .executeTakeFirstOrThrow();
  return Number(count);
}
