import type { Kysely } from 'kysely';
import { prepared } from '../storage/prepared.ts';
import type { NumberTables } from './tables.ts';

type Db = Kysely<NumberTables>;

const raiseNumber = prepared((db: Db, { kind }: { kind: string }) =>
  db
    .insertInto('forum_number')
    .values({ kind, value: 1 })
    .onConflict((conflict) =>
      conflict.column('kind').doUpdateSet((row) => ({ value: row('forum_number.value', '+', 1) })),
    )
    .returning('value'),
);

/** Gives out the next number of a kind, from 1, never one twice. Within a unit of work only. */
export async function nextNumber(db: Db, kind: string): Promise<number> {
  const [row] = await raiseNumber(db, { kind });
  if (!row) throw new Error(`no number of ${kind} was given out`);
  return row.value;
}
