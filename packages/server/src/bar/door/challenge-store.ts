import type { Kysely, Selectable } from 'kysely';
import type { BarTables } from '../tables.ts';

type BarDb = Kysely<BarTables>;
export type Challenge = Selectable<BarTables['bar_challenge']>;

/** What is known of a challenge only while it can be answered. */
const erased = { answers: null, profile: null };

export async function findChallenge(
  db: BarDb,
  challenge_id: string,
): Promise<Challenge | undefined> {
  return db
    .selectFrom('bar_challenge')
    .selectAll()
    .where('challenge_id', '=', challenge_id)
    .executeTakeFirst();
}

export async function insertChallenge(db: BarDb, challenge: Challenge): Promise<void> {
  await db.insertInto('bar_challenge').values(challenge).execute();
}

/** Spends an open challenge; false if it is open no more. Of any number of attempts one succeeds. */
export async function spendChallenge(db: BarDb, challenge_id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('bar_challenge')
    .set({ state: 'spent', ...erased })
    .where('challenge_id', '=', challenge_id)
    .where('state', '=', 'open')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends the renewals of an agent that are still open. */
export async function endOpenRenewals(db: BarDb, agent_id: string): Promise<void> {
  await db
    .updateTable('bar_challenge')
    .set({ state: 'dead', ...erased })
    .where('agent_id', '=', agent_id)
    .where('state', '=', 'open')
    .execute();
}

/** Ends the open challenges whose deadline was at `instant` or before. */
export async function endExpired(db: BarDb, instant: number): Promise<void> {
  await db
    .updateTable('bar_challenge')
    .set({ state: 'dead', ...erased })
    .where('state', '=', 'open')
    .where('expires_at', '<=', instant)
    .execute();
}

/** Deletes the challenges whose deadline was at `instant` or before. */
export async function deleteChallenges(db: BarDb, instant: number): Promise<void> {
  await db.deleteFrom('bar_challenge').where('expires_at', '<=', instant).execute();
}
