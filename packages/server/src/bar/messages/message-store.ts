import type { Kysely, Selectable } from 'kysely';
import { prepared } from '../../storage/prepared.ts';
import { preparedInsert } from '../../storage/prepared-insert.ts';
import type { BarTables } from '../tables.ts';

type BarDb = Kysely<BarTables>;
export type MessageRow = Selectable<BarTables['bar_message']>;

/** Writes where the messages of a batch stand. */
export const insertMessages = preparedInsert<MessageRow, BarDb>('bar_message', [
  'id',
  'slug',
  'author',
]);

export async function findMessage(db: BarDb, id: number): Promise<MessageRow | undefined> {
  return db.selectFrom('bar_message').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function isRetraction(db: BarDb, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('bar_retraction')
    .select('retraction_id')
    .where('retraction_id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

export async function isRetracted(db: BarDb, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('bar_retraction')
    .select('message_id')
    .where('message_id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertRetraction(
  db: BarDb,
  retraction: Selectable<BarTables['bar_retraction']>,
): Promise<void> {
  await db.insertInto('bar_retraction').values(retraction).execute();
}

type Range = { slug: string; first: number; last: number };

const selectRetractions = prepared((db: BarDb, { slug, first, last }: Range) =>
  db
    .selectFrom('bar_retraction')
    .select(['message_id', 'retraction_id'])
    .where('slug', '=', slug)
    .where('message_id', '>=', first)
    .where('message_id', '<=', last),
);

/** Which of a room's messages from `first` to `last` are retracted, and by which. */
export async function listRetractions(db: BarDb, range: Range): Promise<Map<number, number>> {
  const rows = await selectRetractions(db, range);
  return new Map(rows.map(({ message_id, retraction_id }) => [message_id, retraction_id]));
}

/** The highest id of a retracted message of a room; 0 if there is none. */
export async function findLastRetracted(db: BarDb, slug: string): Promise<number> {
  const row = await db
    .selectFrom('bar_retraction')
    .select('message_id')
    .where('slug', '=', slug)
    .orderBy('message_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.message_id ?? 0;
}
