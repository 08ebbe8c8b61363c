import { chmodSync } from 'node:fs';
import Database from 'better-sqlite3';
import { GroupCommit, type Writer } from '../group-commit.ts';
import { migrate } from '../migrate.ts';
import { type Storage, StorageUnavailableError } from '../storage.ts';
import { sqliteDb } from './sqlite-dialect.ts';

/** Works of one transaction; each keeps the event loop busy, so that a batch stays within milliseconds. */
const batch_works_max = 64;

/** Pages of 4 KB that the journal grows to before they are moved into the database. */
const journal_pages_max = 4_000;

/**
 * Opens the SQLite database file at `path`, creating it if need be. Writes go through one connection
 * in WAL mode with `synchronous=FULL`, reads through another. Throws if the file is no database or
 * another process writes to it.
 */
export function openSqlite(path: string): Storage {
  const writing = new Database(path, { timeout: 5_000 });
  // The ledger holds what its rooms withhold from readers; only the house's own user may read it.
  chmodSync(path, 0o600);
  writing.pragma('journal_mode = WAL');
  writing.pragma('synchronous = FULL');
  // The pages that every commit writes anew are moved into the database a quarter as often as by default.
  writing.pragma(`wal_autocheckpoint = ${journal_pages_max}`);
  writing.pragma('foreign_keys = ON');
  // What is removed is overwritten, and not left in pages that nothing points to.
  writing.pragma('secure_delete = ON');
  const reading = new Database(path, { readonly: true, timeout: 5_000 });

  const listeners: ((topic: string) => void)[] = [];
  const wake = (topic: string) => {
    for (const listener of listeners) listener(topic);
  };
  const writing_db = sqliteDb(writing);
  const commits = new GroupCommit({
    writer: sqliteWriter(writing, writing_db),
    batch_works_max,
    wake,
  });

  return {
    engine: 'sqlite',
    transact: (work) => commits.transact(work),
    read: sqliteDb(reading),
    direct: undefined,
    join: (participant) => commits.join(participant),
    onWake: (listener) => listeners.push(listener),
    migrate: (migrations) => migrate(writing_db, 'sqlite', migrations),
    async ping() {
      reading.prepare('select 1').get();
    },
    async backUp(target) {
      await reading.backup(target);
      chmodSync(target, 0o600);
    },
    async truncateJournal() {
      // Here no batch is open: the next one begins in a later turn of the event loop.
      await commits.transact(async () => {});
      writing.pragma('wal_checkpoint(TRUNCATE)');
    },
    async close() {
      await commits.close();
      reading.close();
      writing.close();
    },
  };
}

function sqliteWriter(writing: Database.Database, db: Writer['db']): Writer {
  const begin = writing.prepare('begin immediate');
  const commit = writing.prepare('commit');
  const rollback = writing.prepare('rollback');
  const savepoint = writing.prepare('savepoint work');
  const release = writing.prepare('release work');
  const undo = writing.prepare('rollback to work');
  /** SQLite itself ends the transaction when the disk is full: what comes after finds none. */
  const runInside = (statement: Database.Statement) => {
    if (!writing.inTransaction) throw new StorageUnavailableError('the transaction was lost');
    statement.run();
  };
  return {
    db,
    async begin() {
      try {
        begin.run();
      } catch (cause) {
        throw new StorageUnavailableError('the database could not be locked for writing', {
          cause,
        });
      }
    },
    savepoint: () => runInside(savepoint),
    release: () => runInside(release),
    undo() {
      runInside(undo);
      runInside(release);
    },
    async commit() {
      try {
        commit.run();
      } catch (cause) {
        throw new StorageUnavailableError('the commit failed', { cause });
      }
    },
    async rollback() {
      if (writing.inTransaction) rollback.run();
    },
  };
}
