import { type Kysely, sql } from 'kysely';
import { prepared } from '../../storage/prepared.ts';
import { preparedInsert } from '../../storage/prepared-insert.ts';
import type { MessageTables } from '../tables.ts';

type Db = Kysely<MessageTables>;

export type CountedRow = MessageTables['net_counted'];
export type ChunkRow = MessageTables['net_tally'];

/** What is counted of whom. */
export type Of = Pick<CountedRow, 'tally' | 'account'>;

/** Chunks that are read at once: so many as hold what passes within a minute, and the last may be almost empty. */
const chunks_read = 3;

/** One chunk with its number, or one event that is in no chunk yet. */
type Found = { number: number; instants: Buffer | null; at: number | null };

const selectTally = prepared<Of, Found, Db>((db, { tally, account }) => {
  const query = sql<Found>`
    select number, instants, at from (
      select chunk as number, instants, cast(null as bigint) as at from net_tally
      where tally = ${tally} and account = ${account} order by chunk desc limit ${sql.lit(chunks_read)}
    ) as latest
    union all
    select event, null, at from net_counted where tally = ${tally} and account = ${account}`;
  return { compile: () => query.compile(db) };
});

/** The last chunks of what was counted of an account and the events after those, in their order. */
export async function findTally(
  db: Db,
  of: Of,
): Promise<{ chunks: Pick<ChunkRow, 'chunk' | 'instants'>[]; events: number[]; last: number }> {
  const found = (await selectTally(db, of)).toSorted((a, b) => a.number - b.number);
  const chunks = found.flatMap(({ number: chunk, instants }) =>
    instants === null ? [] : [{ chunk, instants }],
  );
  const counted = found.filter(({ instants }) => instants === null);
  return { chunks, events: counted.map(({ at }) => Number(at)), last: counted.at(-1)?.number ?? 0 };
}

const selectChunk = prepared((db: Db, { tally, account, chunk }: Of & { chunk: number }) =>
  db
    .selectFrom('net_tally')
    .select('instants')
    .where('tally', '=', tally)
    .where('account', '=', account)
    .where('chunk', '=', chunk),
);

/** The instants of a chunk, if it is not forgotten. */
export async function findChunk(db: Db, key: Of & { chunk: number }): Promise<Buffer | undefined> {
  const [row] = await selectChunk(db, key);
  return row?.instants;
}

/** Writes what a batch has counted, in the order in which it came. */
export const insertCounted = preparedInsert<CountedRow, Db>('net_counted', [
  'tally',
  'account',
  'event',
  'at',
]);

/** Of whom events are in no chunk yet. */
export function listCountedOf(db: Db): Promise<Of[]> {
  return db.selectFrom('net_counted').select(['tally', 'account']).distinct().execute();
}

/** To be called when all events are in chunks. */
export async function deleteCounted(db: Db): Promise<void> {
  await db.deleteFrom('net_counted').execute();
}

/** Writes chunks, in the place of those that held less. */
export const putChunks = preparedInsert<ChunkRow, Db>(
  'net_tally',
  ['tally', 'account', 'chunk', 'last_at', 'instants'],
  { key: ['tally', 'account', 'chunk'] },
);

/** Forgets the chunks of what was counted until this instant. */
export async function deleteChunks(db: Db, until: number): Promise<void> {
  await db.deleteFrom('net_tally').where('last_at', '<=', until).execute();
}
