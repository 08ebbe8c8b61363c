import type { Kysely } from 'kysely';
import { prepared } from '../../storage/prepared.ts';
import { preparedInsert } from '../../storage/prepared-insert.ts';
import type { MessageTables } from '../tables.ts';

type Db = Kysely<MessageTables>;

export type TallyRow = MessageTables['net_tally'];
export type ChunkRow = MessageTables['net_tally_chunk'];

const selectTally = prepared((db: Db, { tally, account }: Pick<TallyRow, 'tally' | 'account'>) =>
  db.selectFrom('net_tally').selectAll().where('tally', '=', tally).where('account', '=', account),
);

/** What was counted of an account. */
export async function findTally(
  db: Db,
  of: Pick<TallyRow, 'tally' | 'account'>,
): Promise<TallyRow | undefined> {
  const [row] = await selectTally(db, of);
  return row;
}

type ChunkKey = Pick<ChunkRow, 'tally' | 'account' | 'chunk'>;

const selectChunk = prepared((db: Db, { tally, account, chunk }: ChunkKey) =>
  db
    .selectFrom('net_tally_chunk')
    .select('instants')
    .where('tally', '=', tally)
    .where('account', '=', account)
    .where('chunk', '=', chunk),
);

/** The instants of a chunk, if it is not forgotten. */
export async function findChunk(db: Db, key: ChunkKey): Promise<Buffer | undefined> {
  const [row] = await selectChunk(db, key);
  return row?.instants;
}

const putRows = preparedInsert<TallyRow, Db>(
  'net_tally',
  ['tally', 'account', 'last', 'last_at', 'instants'],
  { key: ['tally', 'account'] },
);

/** Writes what a batch has counted: of each account what was counted last. */
export async function putTallies(db: Db, rows: readonly TallyRow[]): Promise<void> {
  const latest = new Map(rows.map((row) => [`${row.tally} ${row.account}`, row]));
  await putRows(db, [...latest.values()]);
}

export const insertChunks = preparedInsert<ChunkRow, Db>('net_tally_chunk', [
  'tally',
  'account',
  'chunk',
  'last_at',
  'instants',
]);

/** Forgets what was counted until this instant. */
export async function deleteTallies(db: Db, until: number): Promise<void> {
  await db.deleteFrom('net_tally').where('last_at', '<=', until).execute();
  await db.deleteFrom('net_tally_chunk').where('last_at', '<=', until).execute();
}
