import type { Kysely } from 'kysely';
import type { BarTables } from './tables.ts';

type BarDb = Kysely<BarTables>;

export async function countOpenRooms(db: BarDb): Promise<number> {
  const { count } = await db
    .selectFrom('bar_room')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('visibility', '=', 'open')
    .executeTakeFirstOrThrow();
  return count;
}

/** Messages of open rooms, retracted ones included. */
export async function countOpenMessages(db: BarDb): Promise<number> {
  const { count } = await db
    .selectFrom('bar_message')
    .innerJoin('bar_room', 'bar_room.slug', 'bar_message.slug')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('bar_room.visibility', '=', 'open')
    .executeTakeFirstOrThrow();
  return count;
}
