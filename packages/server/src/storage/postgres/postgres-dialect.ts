import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { Client, QueryResult as PgResult, Pool, PoolClient } from 'pg';
import { type Db, StorageUnavailableError } from '../storage.ts';
import { postgresFault } from './postgres-faults.ts';

const statements_max = 1_000;
const statement_names = new Map<string, string>();

/** A name under which the server keeps the prepared statement; texts beyond the bound go unnamed. */
function statementName(sql_text: string): string | undefined {
  const known = statement_names.get(sql_text);
  if (known || statement_names.size >= statements_max) return known;
  const name = `stoa_${statement_names.size}`;
  statement_names.set(sql_text, name);
  return name;
}

class PostgresConnection implements DatabaseConnection {
  readonly client: Client | PoolClient;
  /** Whether the server ended the session, or nothing came back: nobody should use it again. */
  is_broken = false;

  constructor(client: Client | PoolClient) {
    this.client = client;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const name = statementName(query.sql);
    let result: PgResult;
    try {
      result = await this.client.query({
        ...(name ? { name } : {}),
        text: query.sql,
        values: [...query.parameters],
      });
    } catch (error) {
      const { severity } = error as { severity?: string };
      this.is_broken ||= severity === undefined || severity === 'FATAL' || severity === 'PANIC';
      throw postgresFault(error);
    }
    return { rows: result.rows as R[], numAffectedRows: BigInt(result.rowCount ?? 0) };
  }

  // biome-ignore lint/correctness/useYield: @NOTE Kysely's interface asks for a generator; nothing in the house streams.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not offered; page by a cursor');
  }
}

/** Where the connections come from: the pool of readers, or the one writer. */
export type ConnectionSource = {
  acquire(): Promise<Client | PoolClient>;
  release(client: Client | PoolClient, is_broken: boolean): void;
};

class PostgresDriver implements Driver {
  readonly #source: ConnectionSource;

  constructor(source: ConnectionSource) {
    this.#source = source;
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return new PostgresConnection(await this.#source.acquire());
  }
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as PostgresConnection).client.query('begin');
  }
  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as PostgresConnection).client.query('commit');
  }
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as PostgresConnection).client.query('rollback');
  }
  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    const { client, is_broken } = connection as PostgresConnection;
    this.#source.release(client, is_broken);
  }
  async destroy(): Promise<void> {}
}

/** A query builder whose statements run on connections of `source`. */
export function postgresDb(source: ConnectionSource): Db {
  const dialect: Dialect = {
    createDriver: () => new PostgresDriver(source),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
  return new Kysely({ dialect });
}

/** A query builder over a pool of readers. */
export function pooledDb(pool: Pool): Db {
  return postgresDb({
    async acquire() {
      try {
        return await pool.connect();
      } catch (cause) {
        throw new StorageUnavailableError('the database could not be reached', { cause });
      }
    },
    release: (client, is_broken) => (client as PoolClient).release(is_broken),
  });
}
