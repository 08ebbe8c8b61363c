import type { Kysely } from 'kysely';
import type { NumberTables } from './tables.ts';

/** Gives out the next number of a kind, from 1, never one twice. Within a unit of work only. */
export async function nextNumber(db: Kysely<NumberTables>, kind: string): Promise<number> {
  const { value } = await db
    .insertInto('forum_number')
    .values({ kind, value: 1 })
    .onConflict((conflict) =>
      conflict.column('kind').doUpdateSet((row) => ({ value: row('forum_number.value', '+', 1) })),
    )
    .returning('value')
    .executeTakeFirstOrThrow();
  return value;
}
