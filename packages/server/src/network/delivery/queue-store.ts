import { type Kysely, sql } from 'kysely';
import { listsOf } from '../../storage/lists-of.ts';
import { prepared } from '../../storage/prepared.ts';
import { preparedInsert } from '../../storage/prepared-insert.ts';
import type { ConsentTables, MessageTables } from '../tables.ts';

type Db = Kysely<MessageTables>;

type MessageRow = MessageTables['net_message'];

export type QueueEnd = Pick<MessageTables['net_queue'], 'seq' | 'number'>;

const selectEnd = prepared((db: Db, { account }: { account: string }) =>
  db.selectFrom('net_queue').select(['seq', 'number']).where('account', '=', account),
);

/** Where the queue of an account ends; at 0 while it is empty. */
export async function findQueueEnd(db: Db, account: string): Promise<QueueEnd> {
  const [end] = await selectEnd(db, { account });
  return end ?? { seq: 0, number: 0 };
}

/** The `seq` of the last message of each of these queues that is not empty. */
export async function listLastSeqs(
  db: Db,
  accounts: readonly string[],
): Promise<Map<string, number>> {
  const seqs = new Map<string, number>();
  for (const asked of listsOf(accounts)) {
    const rows = await db
      .selectFrom('net_queue')
      .select(['account', 'seq'])
      .where('account', 'in', asked)
      .execute();
    for (const { account, seq } of rows) seqs.set(account, seq);
  }
  return seqs;
}

const putRows = preparedInsert<MessageTables['net_queue'], Db>(
  'net_queue',
  ['account', 'seq', 'number'],
  { key: ['account'] },
);

/** Writes where a batch has left the queues: of each what it came to last. */
export async function putQueueEnds(
  db: Db,
  rows: readonly MessageTables['net_queue'][],
): Promise<void> {
  const latest = new Map(rows.map((row) => [row.account, row]));
  await putRows(db, [...latest.values()]);
}

/**
 * Of a queue one message in so many is found by an index; the others from there, as each names the one before it.
 * An index of all would have a page to write for each message: those of many queues come in turn.
 */
const mark_every = 16;

/** Whether a message is found by the index; written as the index has it, or it would not be used. */
const is_mark = sql<boolean>`seq % ${sql.lit(mark_every)} = 0`;

type Walk = {
  account: string;
  after: number;
  first: number;
  last: number;
  mark: number;
  end: number;
};

const selectQueued = prepared<Walk, MessageRow, Db>(
  (db, { account, after, first, last, mark, end }) => {
    const query = sql<MessageRow>`
    with recursive walked as (
      select * from net_message where number = coalesce(
        (select number from net_message where to_account = ${account} and seq = ${mark} and ${is_mark}),
        ${end}
      )
      union all
      select m.* from walked join net_message m on m.number = walked.previous_queued
      where walked.seq > ${first}
    )
    select * from walked where seq > ${after} and seq <= ${last} order by seq`;
    return { compile: () => query.compile(db) };
  },
);

/** At most `limit` messages of a queue after the one with a `seq`, in order. */
export async function listQueued(
  db: Db,
  { account, after, limit }: { account: string; after: number; limit: number },
): Promise<MessageRow[]> {
  const end = await findQueueEnd(db, account);
  // Most who wait for a queue find nothing new in it.
  if (after >= end.seq) return [];
  const last = Math.min(after + limit, end.seq);
  const mark = Math.ceil(last / mark_every) * mark_every;
  return selectQueued(db, { account, after, first: after + 1, last, mark, end: end.number });
}

type ConsentDb = Kysely<ConsentTables>;

const shown = { status: 'pending', is_hidden: 0 } as const;

const selectLastNumber = prepared((db: ConsentDb, { account }: { account: string }) =>
  db
    .selectFrom('net_request')
    .select((of) => of.fn.max('number').as('last'))
    .where('to_account', '=', account),
);

/** The number of the last request that an account has got. */
export async function lastRequestNumber(db: ConsentDb, account: string): Promise<number> {
  const [row] = await selectLastNumber(db, { account });
  return Number(row?.last ?? 0);
}

type RequestsPage = { account: string; after: number; limit: number };

const selectRequestsAfter = prepared((db: ConsentDb, { account, after, limit }: RequestsPage) =>
  db
    .selectFrom('net_request')
    .select(['id', 'number', 'from_account'])
    .where('to_account', '=', account)
    .where('status', '=', shown.status)
    .where('is_hidden', '=', shown.is_hidden)
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit),
);

/** The requests after a number that wait for an account's answer. */
export const listRequestsAfter = (db: ConsentDb, page: RequestsPage) =>
  selectRequestsAfter(db, page);
