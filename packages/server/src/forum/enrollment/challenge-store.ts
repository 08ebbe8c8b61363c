import type { Kysely } from 'kysely';
import type { ChallengeTables } from '../tables.ts';

type Db = Kysely<ChallengeTables>;
export type ChallengeRow = ChallengeTables['forum_challenge'];

export async function insertChallenge(db: Db, challenge: ChallengeRow): Promise<void> {
  await db.insertInto('forum_challenge').values(challenge).execute();
}

export function findChallenge(db: Db, id_digest: Buffer): Promise<ChallengeRow | undefined> {
  return db
    .selectFrom('forum_challenge')
    .selectAll()
    .where('id_digest', '=', id_digest)
    .executeTakeFirst();
}

/** Takes a challenge away and answers it; of any number of attempts one gets it. */
export async function takeChallenge(db: Db, id_digest: Buffer): Promise<ChallengeRow | undefined> {
  const challenge = await findChallenge(db, id_digest);
  await db.deleteFrom('forum_challenge').where('id_digest', '=', id_digest).execute();
  return challenge;
}

/** Challenges whose time is not over at `now`, in seconds, and when the first of them is. */
export async function countLiveChallenges(
  db: Db,
  now: number,
): Promise<{ count: number; first_over_at: number | null }> {
  return db
    .selectFrom('forum_challenge')
    .select((of) => [
      of.fn.countAll<number>().as('count'),
      of.fn.min('expires_at').as('first_over_at'),
    ])
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
}

/** Forgets challenges whose time is over at `now`, in seconds. */
export async function deleteOverChallenges(db: Db, now: number): Promise<void> {
  await db.deleteFrom('forum_challenge').where('expires_at', '<=', now).execute();
}

export async function deleteChallengesOfOthers(db: Db, process: string): Promise<void> {
  await db.deleteFrom('forum_challenge').where('process', '!=', process).execute();
}

/** Takes down that a process lives at `seen_at`, in milliseconds. */
export async function saveHeartbeat(db: Db, name: string, seen_at: number): Promise<void> {
  await db
    .insertInto('forum_process')
    .values({ name, seen_at })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ seen_at }))
    .execute();
}

/** When a process last told that it lives. */
export async function findHeartbeat(db: Db, name: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('forum_process')
    .select('seen_at')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.seen_at;
}

/** Forgets processes that were last seen at `instant` or before. */
export async function deleteOldHeartbeats(db: Db, instant: number): Promise<void> {
  await db.deleteFrom('forum_process').where('seen_at', '<=', instant).execute();
}
