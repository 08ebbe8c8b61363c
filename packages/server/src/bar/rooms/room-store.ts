import type { Insertable, Kysely, Selectable } from 'kysely';
import type { BarTables } from '../tables.ts';

type BarDb = Kysely<BarTables>;
export type Room = Selectable<BarTables['bar_room']>;

export async function findRoom(db: BarDb, slug: string): Promise<Room | undefined> {
  return db.selectFrom('bar_room').selectAll().where('slug', '=', slug).executeTakeFirst();
}

export async function insertRoom(
  db: BarDb,
  room: Insertable<BarTables['bar_room']>,
): Promise<void> {
  await db.insertInto('bar_room').values(room).execute();
}

/** Adds to the number of a room's members, or with -1 takes from it. */
export async function countMember(db: BarDb, slug: string, more: 1 | -1): Promise<void> {
  await db
    .updateTable('bar_room')
    .set((row) => ({ member_count: row('member_count', '+', more) }))
    .where('slug', '=', slug)
    .execute();
}

export async function listOpenRooms(db: BarDb): Promise<Room[]> {
  return db.selectFrom('bar_room').selectAll().where('visibility', '=', 'open').execute();
}

/** The rooms that an agent is a member of, with its role. */
export async function listRoomsOf(
  db: BarDb,
  agent_id: string,
): Promise<(Room & { role: 'owner' | 'member' })[]> {
  return db
    .selectFrom('bar_member')
    .innerJoin('bar_room', 'bar_room.slug', 'bar_member.slug')
    .selectAll('bar_room')
    .select('bar_member.role')
    .where('bar_member.agent_id', '=', agent_id)
    .execute();
}
