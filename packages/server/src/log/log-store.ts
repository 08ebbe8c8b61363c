import type { Kysely } from 'kysely';
import type { Head, LogEntry } from './log.ts';
import type { LogTables } from './log-tables.ts';

/** Rows of one insert statement; SQLite takes at most 32,766 parameters. */
const rows_max = 64;

type EntryRow = LogTables['log_entry'];

const toEntry = (row: Omit<EntryRow, 'stream'>): LogEntry => ({
  ...row,
  prev_hash: row.prev_hash ?? undefined,
  hash: row.hash ?? undefined,
});

const selectEntries = (db: Kysely<LogTables>, stream: string) =>
  db
    .selectFrom('log_entry')
    .select(['position', 'at', 'prev_hash', 'hash', 'body'])
    .where('stream', '=', stream);

/** The last position and hash of `stream`; position 0 if it has no entry. */
export async function findHead(db: Kysely<LogTables>, stream: string): Promise<Head> {
  const row = await db
    .selectFrom('log_stream')
    .select(['position', 'hash'])
    .where('stream', '=', stream)
    .executeTakeFirst();
  return { position: row?.position ?? 0, hash: row?.hash ?? undefined };
}

export async function findEntry(
  db: Kysely<LogTables>,
  stream: string,
  position: number,
): Promise<LogEntry | undefined> {
  const row = await selectEntries(db, stream).where('position', '=', position).executeTakeFirst();
  return row && toEntry(row);
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
  entries: readonly { stream: string; entry: LogEntry }[],
): Promise<void> {
  for (let start = 0; start < entries.length; start += rows_max) {
    const rows = entries.slice(start, start + rows_max).map(({ stream, entry }) => ({
      stream,
      position: entry.position,
      at: entry.at,
      prev_hash: entry.prev_hash ?? null,
      hash: entry.hash ?? null,
      body: entry.body,
    }));
    await db.insertInto('log_entry').values(rows).execute();
  }
}

/** Writes the heads that a batch has moved. */
export async function saveHeads(
  db: Kysely<LogTables>,
  heads: readonly (readonly [stream: string, head: Head])[],
): Promise<void> {
  for (const [stream, { position, hash }] of heads) {
    await db
      .insertInto('log_stream')
      .values({ stream, position, hash: hash ?? null })
      .onConflict((conflict) =>
        conflict.column('stream').doUpdateSet({ position, hash: hash ?? null }),
      )
      .execute();
  }
}
