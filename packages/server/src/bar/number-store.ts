import type { Kysely } from 'kysely';
import type { BarTables } from './tables.ts';

/** Gives out the next number of a kind, from 1, never one twice. Within a unit of work only. */
export async function nextNumber(db: Kysely<BarTables>, kind: string): Promise<number> {
  const { value } = await db
    .insertInto('bar_number')
    .values({ kind, value: 1 })
    .onConflict((conflict) =>
      conflict.column('kind').doUpdateSet((row) => ({ value: row('bar_number.value', '+', 1) })),
    )
    .returning('value')
    .executeTakeFirstOrThrow();
  return value;
}
