import type Database from 'better-sqlite3';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { runPreparedBy } from '../prepared.ts';
import type { Db } from '../storage.ts';
import { sqliteFault } from './sqlite-faults.ts';

const statements_max = 1_000;

/** Runs compiled queries on one connection, preparing each SQL text once. */
class SqliteConnection implements DatabaseConnection {
  readonly #database: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();

  constructor(database: Database.Database) {
    this.#database = database;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    try {
      const statement = this.#prepare(sql);
      // @NOTE The rows of a statement are of the type that Kysely has found for it.
      if (statement.reader) return { rows: statement.all(...parameters) as R[] };
      const { changes } = statement.run(...parameters);
      return { rows: [], numAffectedRows: BigInt(changes) };
    } catch (error) {
      throw sqliteFault(error);
    }
  }

  /** Runs a compiled statement and answers its rows. */
  run(sql: string, parameters: readonly unknown[]): unknown[] {
    try {
      const statement = this.#prepare(sql);
      if (statement.reader) return statement.all(...parameters);
      statement.run(...parameters);
      return [];
    } catch (error) {
      throw sqliteFault(error);
    }
  }

  // biome-ignore lint/correctness/useYield: @NOTE Kysely's interface asks for a generator; nothing in the house streams.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not offered; page by a cursor');
  }

  #prepare(sql_text: string): Database.Statement {
    const known = this.#statements.get(sql_text);
    if (known) return known;
    // Texts with a varying number of parameters would otherwise collect for ever.
    if (this.#statements.size >= statements_max) this.#statements.clear();
    const statement = this.#database.prepare(sql_text);
    this.#statements.set(sql_text, statement);
    return statement;
  }
}

class SqliteDriver implements Driver {
  readonly #database: Database.Database;
  readonly #connection: SqliteConnection;

  constructor(database: Database.Database, connection: SqliteConnection) {
    this.#database = database;
    this.#connection = connection;
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }
  async beginTransaction(): Promise<void> {
    this.#database.exec('begin immediate');
  }
  async commitTransaction(): Promise<void> {
    this.#database.exec('commit');
  }
  async rollbackTransaction(): Promise<void> {
    this.#database.exec('rollback');
  }
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}

/** Kysely believes that SQLite cannot undo the making of a table. It can, so a migration is all or nothing. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** A query builder over one SQLite connection; closing the connection stays its owner's business. */
export function sqliteDb(database: Database.Database): Db {
  const connection = new SqliteConnection(database);
  const dialect: Dialect = {
    createDriver: () => new SqliteDriver(database, connection),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new TransactionalSqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
  const db: Db = new Kysely({ dialect });
  runPreparedBy(db, (sql, parameters) => connection.run(sql, parameters));
  return db;
}
