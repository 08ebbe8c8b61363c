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

/** How many messages of open rooms there are up to one of them. */
export type OpenMessages = { readonly value: number; readonly until: number };

/** What was counted last. */
export async function findOpenMessages(db: BarDb): Promise<OpenMessages> {
  const kept = await db
    .selectFrom('bar_count')
    .select(['value', 'until'])
    .where('kind', '=', 'open_messages')
    .executeTakeFirst();
  return kept ?? { value: 0, until: 0 };
}

/** Counts on from what was counted before, retracted messages included. */
export async function countOpenMessages(db: BarDb, before: OpenMessages): Promise<OpenMessages> {
  const last = await db
    .selectFrom('bar_message')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const until = last?.id ?? 0;
  const { count } = await db
    .selectFrom('bar_message')
    .innerJoin('bar_room', 'bar_room.slug', 'bar_message.slug')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('bar_message.id', '>', before.until)
    .where('bar_message.id', '<=', until)
    .where('bar_room.visibility', '=', 'open')
    .executeTakeFirstOrThrow();
  return { value: before.value + count, until };
}

export async function saveOpenMessages(db: BarDb, counted: OpenMessages): Promise<void> {
  await db
    .insertInto('bar_count')
    .values({ kind: 'open_messages', ...counted })
    .onConflict((conflict) => conflict.column('kind').doUpdateSet(counted))
    .execute();
}
