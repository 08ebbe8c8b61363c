import type { Kysely } from 'kysely';
import type { AttemptTables } from '../tables.ts';

type Db = Kysely<AttemptTables>;

/** The attempts of one limit and key that count at `now`, oldest first. */
export async function listAttempts(
  db: Db,
  { limit_name, key_digest, now }: { limit_name: string; key_digest: Buffer; now: number },
): Promise<readonly { number: number; tried_at: number }[]> {
  return db
    .selectFrom('forum_attempt')
    .select(['number', 'tried_at'])
    .where('limit_name', '=', limit_name)
    .where('key_digest', '=', key_digest)
    .where('over_at', '>', now)
    .orderBy('number')
    .execute();
}

export async function insertAttempt(
  db: Db,
  attempt: AttemptTables['forum_attempt'],
): Promise<void> {
  await db.insertInto('forum_attempt').values(attempt).execute();
}

/** Forgets what counts no more of one limit and key. */
export async function deleteOverAttemptsOf(
  db: Db,
  { limit_name, key_digest, now }: { limit_name: string; key_digest: Buffer; now: number },
): Promise<void> {
  await db
    .deleteFrom('forum_attempt')
    .where('limit_name', '=', limit_name)
    .where('key_digest', '=', key_digest)
    .where('over_at', '<=', now)
    .execute();
}

/** Forgets all that counts no more. */
export async function deleteOverAttempts(db: Db, now: number): Promise<void> {
  await db.deleteFrom('forum_attempt').where('over_at', '<=', now).execute();
}
