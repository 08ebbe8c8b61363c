import type { Kysely, Selectable } from 'kysely';
import type { BarTables } from '../tables.ts';

type BarDb = Kysely<BarTables>;
export type Session = Selectable<BarTables['bar_session']>;

export async function findSession(db: BarDb, token_digest: Buffer): Promise<Session | undefined> {
  return db
    .selectFrom('bar_session')
    .selectAll()
    .where('token_digest', '=', token_digest)
    .executeTakeFirst();
}

export async function insertSession(db: BarDb, session: Session): Promise<void> {
  await db.insertInto('bar_session').values(session).execute();
}

export async function deleteSession(db: BarDb, token_digest: Buffer): Promise<void> {
  await db.deleteFrom('bar_session').where('token_digest', '=', token_digest).execute();
}

/** Deletes an agent's sessions, live or not, save the one of `token_digest`, and answers them. */
export async function deleteOtherSessions(
  db: BarDb,
  agent_id: string,
  token_digest: Buffer,
): Promise<Session[]> {
  return db
    .deleteFrom('bar_session')
    .where('agent_id', '=', agent_id)
    .where('token_digest', '!=', token_digest)
    .returningAll()
    .execute();
}

/** Deletes the sessions that ended at `instant` or before. */
export async function deleteEndedSessions(db: BarDb, instant: number): Promise<void> {
  await db.deleteFrom('bar_session').where('expires_at', '<=', instant).execute();
}
