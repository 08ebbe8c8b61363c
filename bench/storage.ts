import { hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openLog } from '../packages/server/src/log/log.ts';
import { log_migrations } from '../packages/server/src/log/log-tables.ts';
import { openPostgres } from '../packages/server/src/storage/postgres/open-postgres.ts';
import { openSqlite } from '../packages/server/src/storage/sqlite/open-sqlite.ts';
import type { Storage } from '../packages/server/src/storage/storage.ts';
import { startPostgres } from '../tests/support/postgres.ts';
import { type Bench, type BenchRow, inTurn, keepBusy, perSecond } from './bench.ts';

const body = 'x'.repeat(200);
const group = 64;
const rounds = 5;
const no_hash = Buffer.alloc(32);

/** What is hashed of an entry; the same for us and for the baseline. */
const chainHash = (prev_hash: Buffer, position: number): Buffer =>
  hash('sha256', `${prev_hash.toString('hex')}\n${position}\n${body}`, 'buffer');

function appender(storage: Storage) {
  const log = openLog(storage);
  return () =>
    storage.transact((tx) =>
      log.append(tx, {
        stream: 'bench',
        at: 0,
        seal: ({ position, prev_hash = no_hash }) => ({
          body,
          hash: chainHash(prev_hash, position),
        }),
      }),
    );
}

/** The same chain in hand-written better-sqlite3, `group_size` entries a transaction. */
function handWritten(path: string, group_size: number) {
  const db = new Database(path);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec(`create table if not exists head (id integer primary key, position integer, hash blob);
    create table if not exists entry
      (position integer primary key, at integer, prev_hash blob, hash blob, body text);`);
  const begin = db.prepare('begin immediate');
  const commit = db.prepare('commit');
  const insert = db.prepare('insert into entry values (?, ?, ?, ?, ?)');
  const save = db.prepare('insert or replace into head values (1, ?, ?)');
  const load = db.prepare<[], { position: number; hash: Buffer }>('select * from head');
  return async (operations: number) => {
    const begun_at = performance.now();
    for (let done = 0; done < operations; done += group_size) {
      begin.run();
      let { position, hash: prev_hash } = load.get() ?? { position: 0, hash: no_hash };
      for (let index = 0; index < group_size; index += 1) {
        position += 1;
        const next_hash = chainHash(prev_hash, position);
        insert.run(position, 0, prev_hash, next_hash, body);
        prev_hash = next_hash;
      }
      save.run(position, prev_hash);
      commit.run();
    }
    return { operations, elapsed_ms: performance.now() - begun_at };
  };
}

async function benchSqlite(say: (line: string) => void): Promise<BenchRow[]> {
  // On the disk that the house would use, for what is measured is mostly its fsync.
  const folder = mkdtempSync(join(tmpdir(), 'stoa-bench-'));
  try {
    const storage = openSqlite(join(folder, 'ours.db'));
    await storage.migrate(log_migrations);
    const append = appender(storage);
    const grouped = handWritten(join(folder, 'grouped.db'), group);
    const single = handWritten(join(folder, 'single.db'), 1);
    const rates = await inTurn(
      rounds,
      {
        'hand-written, groups of 64': () => grouped(64_000),
        'hand-written, one a transaction': () => single(4_000),
        'transact + log.append, concurrency 64': () => keepBusy(64_000, group, append),
        'transact + log.append, concurrency 1': () => keepBusy(4_000, 1, append),
      },
      say,
    );
    await storage.close();
    const in_groups = rates['hand-written, groups of 64'];
    const one_by_one = rates['hand-written, one a transaction'];
    const ours = rates['transact + log.append, concurrency 64'];
    return [
      { what: 'SQLite: hand-written better-sqlite3, groups of 64', value: perSecond(in_groups) },
      {
        what: 'SQLite: hand-written better-sqlite3, one a transaction',
        value: perSecond(one_by_one),
      },
      {
        what: 'SQLite: chained appends, concurrency 64',
        value: perSecond(ours),
        ratio: { of: 'hand-written groups of 64', value: ours / in_groups, target: 0.4 },
      },
      {
        what: 'SQLite: chained appends, concurrency 64',
        value: perSecond(ours),
        ratio: { of: 'one a transaction', value: ours / one_by_one, target: 5 },
      },
      {
        what: 'SQLite: chained appends, concurrency 1',
        value: perSecond(rates['transact + log.append, concurrency 1']),
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function benchPostgres(say: (line: string) => void): Promise<BenchRow[]> {
  const cluster = await startPostgres({ durable: true });
  try {
    const storage = openPostgres(cluster.url, 4);
    await storage.migrate(log_migrations);
    const append = appender(storage);
    const rates = await inTurn(
      rounds,
      {
        'concurrency 1': () => keepBusy(500, 1, append),
        'concurrency 64': () => keepBusy(16_000, group, append),
      },
      say,
    );
    await storage.close();
    const one_by_one = rates['concurrency 1'];
    const ours = rates['concurrency 64'];
    return [
      { what: 'PostgreSQL: chained appends, one at a time', value: perSecond(one_by_one) },
      {
        what: 'PostgreSQL: chained appends, concurrency 64',
        value: perSecond(ours),
        ratio: { of: 'one at a time', value: ours / one_by_one, target: 5 },
      },
    ];
  } finally {
    await cluster.stop();
  }
}

/** What group commit pays. */
export const storage_bench: Bench = {
  name: 'storage',
  title: 'Storage: chained appends of 200-byte entries',
  method:
    'Each append is acknowledged after the fsync of its transaction. The hand-written loop makes the same chain with the same pragmas on the same disk; the candidates take turns, the median of five rounds counts.',
  run: async (say) => [...(await benchSqlite(say)), ...(await benchPostgres(say))],
};
