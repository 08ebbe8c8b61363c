import type { Kysely } from 'kysely';
import type { Head, LogEntry, Place } from './log.ts';
import type { LogTables } from './log-tables.ts';

/** Rows of one insert statement; SQLite takes at most 32,766 parameters. */
const rows_max = 64;

type EntryRow = LogTables['log_entry'];

const toEntry = (row: EntryRow): LogEntry => ({
  ...row,
  prev_hash: row.prev_hash ?? undefined,
  hash: row.hash ?? undefined,
});

const selectEntries = (db: Kysely<LogTables>, stream: string) =>
  db.selectFrom('log_entry').selectAll().where('stream', '=', stream);

/** The last position and hash of `stream`; position 0 if it has no entry. */
export async function findHead(db: Kysely<LogTables>, stream: string): Promise<Head> {
  const row = await db
    .selectFrom('log_stream')
    .select(['position', 'entries', 'hash'])
    .where('stream', '=', stream)
    .executeTakeFirst();
  return {
    position: row?.position ?? 0,
    entries: row?.entries ?? 0,
    hash: row?.hash ?? undefined,
  };
}

/** Streams of one statement. */
const streams_max = 256;

/** The ends of those of `streams` that have entries. */
export async function listHeads(
  db: Kysely<LogTables>,
  streams: readonly string[],
): Promise<Map<string, Head>> {
  const heads = new Map<string, Head>();
  for (let start = 0; start < streams.length; start += streams_max) {
    const asked = streams.slice(start, start + streams_max);
    // Filled up to a power of two, so that few texts have to be prepared.
    const filler = asked[0] ?? '';
    while ((asked.length & (asked.length - 1)) !== 0) asked.push(filler);
    const rows = await db
      .selectFrom('log_stream')
      .selectAll()
      .where('stream', 'in', asked)
      .execute();
    for (const { stream, hash, ...head } of rows) {
      heads.set(stream, { ...head, hash: hash ?? undefined });
    }
  }
  return heads;
}

export async function listAt(db: Kysely<LogTables>, places: readonly Place[]): Promise<LogEntry[]> {
  if (places.length === 0) return [];
  const rows = await db
    .selectFrom('log_entry')
    .selectAll()
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple('stream', 'position'),
        'in',
        places.map(({ stream, position }) => tuple(stream, position)),
      ),
    )
    .orderBy('position')
    .execute();
  return rows.map(toEntry);
}

export async function listAfter(
  db: Kysely<LogTables>,
  stream: string,
  after: number,
  limit: number,
): Promise<LogEntry[]> {
  const rows = await selectEntries(db, stream)
    .where('position', '>', after)
    .orderBy('position')
    .limit(limit)
    .execute();
  return rows.map(toEntry);
}

export async function listBefore(
  db: Kysely<LogTables>,
  stream: string,
  before: number,
  limit: number,
): Promise<LogEntry[]> {
  const rows = await selectEntries(db, stream)
    .where('position', '<', before)
    .orderBy('position', 'desc')
    .limit(limit)
    .execute();
  return rows.map(toEntry);
}

/** Writes the entries of a batch. */
export async function insertEntries(
  db: Kysely<LogTables>,
  entries: readonly LogEntry[],
): Promise<void> {
  for (let start = 0; start < entries.length; start += rows_max) {
    const rows = entries.slice(start, start + rows_max).map(({ prev_hash, hash, ...entry }) => ({
      ...entry,
      prev_hash: prev_hash ?? null,
      hash: hash ?? null,
    }));
    await db.insertInto('log_entry').values(rows).execute();
  }
}

/** Writes the heads that a batch has moved. */
export async function saveHeads(
  db: Kysely<LogTables>,
  heads: readonly (readonly [stream: string, head: Head])[],
): Promise<void> {
  for (const [stream, { position, entries, hash = null }] of heads) {
    const moved = { position, entries, hash };
    await db
      .insertInto('log_stream')
      .values({ stream, ...moved })
      .onConflict((conflict) => conflict.column('stream').doUpdateSet(moved))
      .execute();
  }
}
