import type { Kysely } from 'kysely';
import type { Migration } from './migrate.ts';

/**
 * A query builder over the house's tables. Each store narrows it to the tables it owns by the type of
 * its first parameter (`Kysely<GuestbookTables>`).
 */
// biome-ignore lint/suspicious/noExplicitAny: @NOTE Kysely is invariant in its tables, so a handle that every room may narrow to its own can only be `any`.
export type Db = Kysely<any>;

export type Engine = 'sqlite' | 'postgres';

/** One unit of work inside a group commit. Valid until the function given to `transact` settles. */
export type Tx = {
  /** Statements of this unit of work. */
  readonly db: Db;
  /** Wakes the waiters of `topic` in every process of the house, once this is committed. */
  wake(topic: string): void;
  /** Runs `effect` after the commit, in this process only; it must not throw. */
  afterCommit(effect: () => void): void;
};

/**
 * Runs `work` in a transaction that it may share with others (group commit) and resolves with its
 * value once that transaction is durable. Units of work run one after another, house-wide on
 * PostgreSQL too: what one reads cannot change before it commits. If `work` throws, its own effects
 * are undone and the promise rejects with what it threw; others are not touched. `work` awaits
 * statements of `tx` and nothing else.
 */
export type Transact = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/**
 * Something that keeps state beside the rows during a batch, such as the log's buffered entries, and
 * writes it before the commit.
 */
export type BatchParticipant = {
  /** A batch begins: forget everything. */
  begin(): void;
  /** How far the state has come, before a unit of work. */
  mark(): number;
  /** A unit of work was undone: go back to what `mark` gave. */
  restore(mark: number): void;
  /** The batch is about to be committed: write what is buffered. */
  flush(db: Db): Promise<void>;
};

export type Storage = {
  readonly engine: Engine;
  readonly transact: Transact;
  /** Reads of committed rows. Never for writing. */
  readonly read: Db;
  /**
   * Single statements that stand for themselves, outside of group commit: for counters that need no
   * transaction. Undefined on SQLite, whose one writing connection belongs to the open batch.
   */
  readonly direct: Db | undefined;
  /** Adds a participant to every later batch. */
  join(participant: BatchParticipant): void;
  /** Called with each topic woken by a commit of any process; with `'*'` when wake-ups may have been missed. */
  onWake(listener: (topic: string) => void): void;
  /** Applies the migrations that are still missing. */
  migrate(migrations: readonly Migration[]): Promise<void>;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  /** Writes a consistent copy of the database to `path`. SQLite only; rejects elsewhere. */
  backUp(path: string): Promise<void>;
  /**
   * Empties the journal beside the database file, so that nothing is left in it of what was removed. Does nothing
   * on PostgreSQL, whose journal is its own.
   */
  truncateJournal(): Promise<void>;
  /** Commits what was accepted, then lets go of the database. */
  close(): Promise<void>;
};

/** The database could not be reached or refused the commit; nothing of the work is known to be stored. */
export class StorageUnavailableError extends Error {
  override name = 'StorageUnavailableError';
}
