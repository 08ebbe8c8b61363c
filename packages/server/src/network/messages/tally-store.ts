import { type Kysely, sql } from 'kysely';
import { prepared } from '../../storage/prepared.ts';
import type { MessageTables, Tally } from '../tables.ts';

type Db = Kysely<MessageTables>;

/** What was counted of an account: how much, and when the event was that is so many back from the last. */
export type Tallied = { last: number; at_short: number | null; at_long: number | null };

type Asked = { tally: Tally; account: string; short: number; long: number };

// The last number is looked up: `max` of an expression would read all rows of the account.
const selectTallied = prepared<Asked, Tallied, Db>((db, { tally, account, short, long }) => {
  const nth = (back: number) => sql<number | null>`(
    select at from net_tally
    where tally = ${tally} and account = ${account} and number = counted.last - ${back} + 1
  )`;
  return db
    .selectFrom(
      sql<{ last: number }>`(
        select coalesce((
          select number from net_tally where tally = ${tally} and account = ${account}
          order by number desc limit 1
        ), 0) as last
      )`.as('counted'),
    )
    .select(['counted.last', nth(short).as('at_short'), nth(long).as('at_long')]);
});

export async function findTallied(db: Db, asked: Asked): Promise<Tallied> {
  const [row] = await selectTallied(db, asked);
  return row ?? { last: 0, at_short: null, at_long: null };
}

const insertRow = prepared((db: Db, { tally, account, number, at }: MessageTables['net_tally']) =>
  db.insertInto('net_tally').values({ tally, account, number, at }),
);

export async function insertTally(db: Db, row: MessageTables['net_tally']): Promise<void> {
  await insertRow(db, row);
}

/** Forgets what was counted until this instant. */
export async function deleteTallies(db: Db, until: number): Promise<void> {
  await db.deleteFrom('net_tally').where('at', '<=', until).execute();
}
