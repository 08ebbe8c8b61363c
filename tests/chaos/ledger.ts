import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Head, Link, Log, LogEntry, Sealed } from '../../packages/server/src/log/log.ts';
import { openLog } from '../../packages/server/src/log/log.ts';
import { log_migrations } from '../../packages/server/src/log/log-tables.ts';
import type { Migration } from '../../packages/server/src/storage/migrate.ts';
import { openPostgres } from '../../packages/server/src/storage/postgres/open-postgres.ts';
import { openSqlite } from '../../packages/server/src/storage/sqlite/open-sqlite.ts';
import type { Db, Engine, Storage, Tx } from '../../packages/server/src/storage/storage.ts';
import { createDatabase } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { Chance } from './draw.ts';

/** Where a ledger is kept, as one process tells another. */
export type Place = { readonly sqlite_path: string } | { readonly database_url: string };

/** An empty place of a test's own; `await using` removes it. */
export async function newPlace(engine: Engine): Promise<Place & AsyncDisposable> {
  if (engine === 'sqlite') {
    const folder = temporaryFolder();
    return {
      sqlite_path: join(folder.path, 'stoa.db'),
      async [Symbol.asyncDispose]() {
        folder.remove();
      },
    };
  }
  const database = await createDatabase();
  return { database_url: database.url, [Symbol.asyncDispose]: () => database.drop() };
}

export const openPlace = (place: Place): Storage =>
  'sqlite_path' in place ? openSqlite(place.sqlite_path) : openPostgres(place.database_url, 4);

/** Streams with numbers of their own, and two that share theirs. */
const streams: Readonly<Record<string, string | undefined>> = {
  alone: undefined,
  beside: undefined,
  third: undefined,
  'shared one': 'shared',
  'shared two': 'shared',
};
export const stream_names = Object.keys(streams);

/** A room's tables beside the log: what one unit of work wrote is all there, or none of it. */
export const ledger_migrations: readonly Migration[] = [
  ...log_migrations,
  {
    name: 'ledger-001-units',
    async up(db, columns) {
      await db.schema
        .createTable('ledger_unit')
        .addColumn('unit', columns.text, (column) => column.primaryKey())
        .addColumn('entries', columns.integer, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('ledger_entry')
        .addColumn('stream', columns.text, (column) => column.notNull())
        .addColumn('position', columns.sequence, (column) => column.notNull())
        .addColumn('unit', columns.text, (column) =>
          column.notNull().references('ledger_unit.unit'),
        )
        .addPrimaryKeyConstraint('ledger_entry_key', ['stream', 'position'])
        .execute();
      await db.schema
        .createTable('ledger_tally')
        .addColumn('id', columns.integer, (column) => column.primaryKey())
        .addColumn('units', columns.integer, (column) => column.notNull())
        .execute();
      await db.insertInto('ledger_tally').values({ id: 1, units: 0 }).execute();
    },
  },
];

/** What one unit of work is to do. */
export type Unit = {
  readonly unit: string;
  readonly streams: readonly string[];
  /** Whether it writes rows beside its entries. */
  readonly has_rows: boolean;
  /** Throws at its end, so that nothing of it may ever be seen. */
  readonly is_undone: boolean;
};

export function drawUnit(chance: Chance, unit: string): Unit {
  const is_undone = chance.onceIn(6);
  return {
    unit: is_undone ? `${unit} undone` : unit,
    streams: Array.from({ length: chance.below(4) }, () => chance.pick(stream_names)),
    has_rows: !chance.onceIn(4),
    is_undone,
  };
}

const hashOf = (body: string) => createHash('sha256').update(body).digest();

const seal =
  (unit: Unit) =>
  ({ position, prev_hash }: Link): Sealed => {
    const { has_rows } = unit;
    const prev = prev_hash?.toString('hex') ?? null;
    const body = JSON.stringify({ unit: unit.unit, has_rows, position, prev });
    return { body, hash: hashOf(body) };
  };

class UndoneError extends Error {}

/** Carries out a unit and answers its entries once they are acknowledged; undefined if it was undone. */
export async function carryOut(
  storage: Storage,
  log: Log,
  unit: Unit,
): Promise<LogEntry[] | undefined> {
  try {
    return await storage.transact((tx) => write(tx, log, unit));
  } catch (error) {
    if (error instanceof UndoneError) return undefined;
    throw error;
  }
}

async function write(tx: Tx, log: Log, unit: Unit): Promise<LogEntry[]> {
  if (unit.has_rows) {
    const tally = await tx.db.selectFrom('ledger_tally').select('units').executeTakeFirstOrThrow();
    const row = { unit: unit.unit, entries: unit.streams.length };
    await tx.db.insertInto('ledger_unit').values(row).execute();
    await tx.db
      .updateTable('ledger_tally')
      .set({ units: tally.units + 1 })
      .execute();
  }
  const entries: LogEntry[] = [];
  for (const stream of unit.streams) {
    const numbered_by = streams[stream];
    const entry = await log.append(tx, {
      stream,
      ...(numbered_by ? { numbered_by } : {}),
      at: 0,
      seal: seal(unit),
    });
    entries.push(entry);
    if (unit.has_rows) {
      const row = { stream, position: entry.position, unit: unit.unit };
      await tx.db.insertInto('ledger_entry').values(row).execute();
    }
  }
  if (unit.is_undone) throw new UndoneError();
  return entries;
}

/** The last entry of each stream as a reader saw it. */
export type Seen = ReadonlyMap<string, Head>;

const nothing_seen: Head = { position: 0, entries: 0, hash: undefined };

export type LedgerCheck = {
  /** Where each stream ends now. */
  readonly seen: Seen;
  /** Hash in hex of each entry that was read, by `stream position`. */
  readonly hashes: ReadonlyMap<string, string>;
  /** The units with rows whose name begins as asked. */
  readonly units: ReadonlySet<string>;
};

/**
 * Reads what came after `seen` and holds it to what the kernel promises: linear chains without gaps,
 * heads that are the last entries, rows and entries of a unit both there or both absent, and nothing
 * that was undone. `of` begins the names of all units that came since.
 */
export async function checkLedger(storage: Storage, seen: Seen, of: string): Promise<LedgerCheck> {
  const log = openLog(storage);
  const heads = new Map<string, Head>();
  const hashes = new Map<string, string>();
  const entries: LogEntry[] = [];
  for (const stream of stream_names) {
    const from = seen.get(stream) ?? nothing_seen;
    const since = await readChain(log, stream, from);
    entries.push(...since);
    for (const { position, hash } of since) {
      hashes.set(`${stream} ${position}`, hash?.toString('hex') ?? '');
    }
    const last = since.at(-1) ?? from;
    const head = { position: last.position, entries: from.entries + since.length, hash: last.hash };
    assert.deepEqual(await log.head(stream), head, `${stream}: the head is the last entry`);
    heads.set(stream, head);
  }
  checkSharedNumbers(entries, seen, (await log.head('shared')).position);
  const units = await checkRows(storage.read, entries, seen, of);
  return { seen: heads, hashes, units };
}

/** The entries of a stream after `from`, each held to its chain. */
async function readChain(log: Log, stream: string, from: Head): Promise<LogEntry[]> {
  if (from.position > 0) {
    const [last] = await log.readAt([{ stream, position: from.position }]);
    assert.deepEqual(last?.hash, from.hash, `${stream} ${from.position}: seen before, now other`);
  }
  const entries: LogEntry[] = [];
  let last: Pick<Head, 'position' | 'hash'> = from;
  for (;;) {
    const page = await log.readAfter(stream, last.position, 500);
    if (page.length === 0) return entries;
    for (const entry of page) {
      const name = `${stream} ${entry.position}`;
      if (streams[stream] === undefined) assert.equal(entry.position, last.position + 1, name);
      else assert.ok(entry.position > last.position, name);
      assert.deepEqual(entry.prev_hash, last.hash, `${name}: continues the entry before`);
      assert.deepEqual(hashOf(entry.body), entry.hash, `${name}: hashes to its hash`);
      const { position, prev } = JSON.parse(entry.body);
      assert.equal(position, entry.position, name);
      assert.equal(prev, entry.prev_hash?.toString('hex') ?? null, name);
      entries.push(entry);
      last = entry;
    }
  }
}

/** The streams that share numbers have, together, each number once. */
function checkSharedNumbers(entries: readonly LogEntry[], seen: Seen, end: number): void {
  const sharing = stream_names.filter((name) => streams[name] !== undefined);
  const from = Math.max(0, ...sharing.map((name) => seen.get(name)?.position ?? 0));
  const numbers = entries
    .filter(({ stream }) => sharing.includes(stream))
    .map(({ position }) => position)
    .sort((a, b) => a - b);
  assert.deepEqual(
    numbers,
    Array.from({ length: end - from }, (_, index) => from + index + 1),
  );
}

const unitOf = (entry: LogEntry): { unit: string; has_rows: boolean } => JSON.parse(entry.body);

async function checkRows(db: Db, entries: readonly LogEntry[], seen: Seen, of: string) {
  const rows: { unit: string; entries: number }[] = await db
    .selectFrom('ledger_unit')
    .select(['unit', 'entries'])
    .where('unit', 'like', `${of}%`)
    .execute();
  for (const { unit } of [...rows, ...entries.map(unitOf)]) {
    assert.ok(unit.startsWith(of) && !unit.endsWith('undone'), `${unit} was never to be seen`);
  }
  const with_rows = entries.filter((entry) => unitOf(entry).has_rows);
  const counts = Map.groupBy(with_rows, (entry) => unitOf(entry).unit);
  for (const { unit, entries: count } of rows) {
    assert.equal(counts.get(unit)?.length ?? 0, count, `${unit}: its rows without its entries`);
    counts.delete(unit);
  }
  assert.deepEqual([...counts.keys()], [], 'entries without their rows');
  const placed: { stream: string; position: number; unit: string }[] = [];
  for (const stream of stream_names) {
    const after = seen.get(stream)?.position ?? 0;
    placed.push(
      ...(await db
        .selectFrom('ledger_entry')
        .select(['stream', 'position', 'unit'])
        .where('stream', '=', stream)
        .where('position', '>', after)
        .orderBy('position')
        .execute()),
    );
  }
  assert.deepEqual(
    placed,
    with_rows.map((entry) => ({
      stream: entry.stream,
      position: entry.position,
      unit: unitOf(entry).unit,
    })),
    'rows say where the entries of their unit are',
  );
  const { units } = await db.selectFrom('ledger_tally').select('units').executeTakeFirstOrThrow();
  const { count } = await db
    .selectFrom('ledger_unit')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  assert.equal(units, count, 'no unit of work lost what another had written');
  return new Set(rows.map(({ unit }) => unit));
}
