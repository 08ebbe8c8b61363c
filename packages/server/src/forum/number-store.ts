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

const selectNumber = prepared((db: Db, { kind }: { kind: string }) =>
  db.selectFrom('forum_number').select('value').where('kind', '=', kind),
);

/** The last number of a kind that was given out; 0 if there is none. */
export async function findNumber(db: Db, kind: string): Promise<number> {
  const [row] = await selectNumber(db, { kind });
  return row?.value ?? 0;
}

const upsertNumber = prepared((db: Db, { kind, value }: { kind: string; value: number }) =>
  db
    .insertInto('forum_number')
    .values({ kind, value })
    .onConflict((conflict) => conflict.column('kind').doUpdateSet({ value })),
);

/** Takes down that the numbers of a kind were given out up to this one. Within a unit of work only. */
export async function saveNumber(db: Db, kind: string, value: number): Promise<void> {
  await upsertNumber(db, { kind, value });
}

/** Gives out the next number of a kind, from 1, never one twice. Within a unit of work only. */
export async function nextNumber(db: Db, kind: string): Promise<number> {
  const [row] = await raiseNumber(db, { kind });
  if (!row) throw new Error(`no number of ${kind} was given out`);
  return row.value;
}
