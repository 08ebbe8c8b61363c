import type { Kysely, Selectable } from 'kysely';
import { prepared } from '../../storage/prepared.ts';
import type { BarTables } from '../tables.ts';

type BarDb = Kysely<BarTables>;
export type Invitation = Selectable<BarTables['bar_invitation']>;

/** The invitation of an agent to a room, pending or lapsed. */
export async function findInvitation(
  db: BarDb,
  slug: string,
  agent_id: string,
): Promise<Invitation | undefined> {
  return db
    .selectFrom('bar_invitation')
    .selectAll()
    .where('slug', '=', slug)
    .where('agent_id', '=', agent_id)
    .executeTakeFirst();
}

export async function findInvitationById(db: BarDb, id: number): Promise<Invitation | undefined> {
  return db.selectFrom('bar_invitation').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function insertInvitation(db: BarDb, invitation: Invitation): Promise<void> {
  await db.insertInto('bar_invitation').values(invitation).execute();
}

export async function deleteInvitation(db: BarDb, id: number): Promise<void> {
  await db.deleteFrom('bar_invitation').where('id', '=', id).execute();
}

/** The invitations that await an agent's answer, the newest first. */
export async function listPending(db: BarDb, agent_id: string, now: number): Promise<Invitation[]> {
  return db
    .selectFrom('bar_invitation')
    .selectAll()
    .where('agent_id', '=', agent_id)
    .where('expires_at', '>', now)
    .orderBy('id', 'desc')
    .execute();
}

const selectPendingCount = prepared(
  (db: BarDb, { agent_id, now }: { agent_id: string; now: number }) =>
    db
      .selectFrom('bar_invitation')
      .select((of) => of.fn.countAll<number>().as('count'))
      .where('agent_id', '=', agent_id)
      .where('expires_at', '>', now),
);

export async function countPending(db: BarDb, agent_id: string, now: number): Promise<number> {
  const [row] = await selectPendingCount(db, { agent_id, now });
  return row?.count ?? 0;
}

/** Deletes the invitations of `agent_id` that `invited_by` made. */
export async function deleteInvitationsBy(
  db: BarDb,
  agent_id: string,
  invited_by: string,
): Promise<void> {
  await db
    .deleteFrom('bar_invitation')
    .where('agent_id', '=', agent_id)
    .where('invited_by', '=', invited_by)
    .execute();
}

/** Deletes every invitation that an agent has made or been given. */
export async function deleteInvitationsOf(db: BarDb, agent_id: string): Promise<void> {
  await db.deleteFrom('bar_invitation').where('agent_id', '=', agent_id).execute();
  await db.deleteFrom('bar_invitation').where('invited_by', '=', agent_id).execute();
}

/** Deletes the invitations that lapsed at or before `instant`. */
export async function deleteLapsed(db: BarDb, instant: number): Promise<void> {
  await db.deleteFrom('bar_invitation').where('expires_at', '<=', instant).execute();
}
