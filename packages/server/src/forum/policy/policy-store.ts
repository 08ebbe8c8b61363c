import type { Kysely } from 'kysely';
import type { PolicyTables } from '../tables.ts';

type Db = Kysely<PolicyTables>;
export type PublishedPolicy = PolicyTables['forum_policy'];

/** The newest policy. */
export function findNewestPolicy(db: Db): Promise<PublishedPolicy | undefined> {
  return db
    .selectFrom('forum_policy')
    .selectAll()
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function insertPolicy(db: Db, policy: PublishedPolicy): Promise<void> {
  await db.insertInto('forum_policy').values(policy).execute();
}
