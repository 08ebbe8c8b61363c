import type { Kysely } from 'kysely';
import type { KeptTables } from '../tables.ts';

type Db = Kysely<KeptTables>;
export type KeptAnswer = KeptTables['forum_kept_answer'];

export function findKeptAnswer(db: Db, key_digest: Buffer): Promise<KeptAnswer | undefined> {
  return db
    .selectFrom('forum_kept_answer')
    .selectAll()
    .where('key_digest', '=', key_digest)
    .executeTakeFirst();
}

/** Keeps an answer in the place of one that was kept long ago. */
export async function replaceKeptAnswer(db: Db, kept: KeptAnswer): Promise<void> {
  await db.deleteFrom('forum_kept_answer').where('key_digest', '=', kept.key_digest).execute();
  await db.insertInto('forum_kept_answer').values(kept).execute();
}

/** Forgets all that is kept of an account. */
export async function deleteKeptAnswersOf(db: Db, account_id: number): Promise<void> {
  await db.deleteFrom('forum_kept_answer').where('account_id', '=', account_id).execute();
}

/** Forgets the sealed answers of an account: secrets that they tell are no more. */
export async function deleteSealedAnswersOf(db: Db, account_id: number): Promise<void> {
  await db
    .deleteFrom('forum_kept_answer')
    .where('account_id', '=', account_id)
    .where('box', 'is not', null)
    .execute();
}

/** Forgets what was kept at `instant` or before. */
export async function deleteOldKeptAnswers(db: Db, instant: number): Promise<void> {
  await db.deleteFrom('forum_kept_answer').where('kept_at', '<=', instant).execute();
}
