import type { Kysely } from 'kysely';
import { listsOf } from '../storage/lists-of.ts';
import { prepared } from '../storage/prepared.ts';
import { preparedInsert } from '../storage/prepared-insert.ts';
import type { Head, LogEntry, Place } from './log.ts';
import type { LogTables } from './log-tables.ts';

type LogDb = Kysely<LogTables>;
type EntryRow = LogTables['log_entry'];

const toEntry = (row: EntryRow): LogEntry => ({
  ...row,
  prev_hash: row.prev_hash ?? undefined,
  hash: row.hash ?? undefined,
});

const selectHead = prepared((db: LogDb, { stream }: { stream: string }) =>
  db.selectFrom('log_stream').select(['position', 'entries', 'hash']).where('stream', '=', stream),
);

/** The last position and hash of `stream`; position 0 if it has no entry. */
export async function findHead(db: LogDb, stream: string): Promise<Head> {
  const [row] = await selectHead(db, { stream });
  return {
    position: row?.position ?? 0,
    entries: row?.entries ?? 0,
    hash: row?.hash ?? undefined,
  };
}

/** The ends of those of `streams` that have entries. */
export async function listHeads(db: LogDb, streams: readonly string[]): Promise<Map<string, Head>> {
  const heads = new Map<string, Head>();
  for (const asked of listsOf(streams)) {
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

export async function listAt(db: LogDb, places: readonly Place[]): Promise<LogEntry[]> {
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

type Page = { stream: string; from: number; limit: number };

const selectAfter = prepared((db: LogDb, { stream, from, limit }: Page) =>
  db
    .selectFrom('log_entry')
    .selectAll()
    .where('stream', '=', stream)
    .where('position', '>', from)
    .orderBy('position')
    .limit(limit),
);

export async function listAfter(db: LogDb, page: Page): Promise<LogEntry[]> {
  return (await selectAfter(db, page)).map(toEntry);
}

const selectBefore = prepared((db: LogDb, { stream, from, limit }: Page) =>
  db
    .selectFrom('log_entry')
    .selectAll()
    .where('stream', '=', stream)
    .where('position', '<', from)
    .orderBy('position', 'desc')
    .limit(limit),
);

export async function listBefore(db: LogDb, page: Page): Promise<LogEntry[]> {
  return (await selectBefore(db, page)).map(toEntry);
}

/** Writes the entries of a batch. */
export const insertEntries = preparedInsert<LogEntry, LogDb>('log_entry', [
  'stream',
  'position',
  'at',
  'prev_hash',
  'hash',
  'body',
]);

const upsertHeads = preparedInsert<LogTables['log_stream'], LogDb>(
  'log_stream',
  ['stream', 'position', 'entries', 'hash'],
  { key: ['stream'] },
);

/** Writes the heads that a batch has moved. */
export async function saveHeads(
  db: LogDb,
  heads: readonly (readonly [stream: string, head: Head])[],
): Promise<void> {
  const rows = heads.map(([stream, { position, entries, hash = null }]) => ({
    stream,
    position,
    entries,
    hash,
  }));
  await upsertHeads(db, rows);
}
