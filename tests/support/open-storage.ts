import { join } from 'node:path';
import { openPostgres } from '../../packages/server/src/storage/postgres/open-postgres.ts';
import { openSqlite } from '../../packages/server/src/storage/sqlite/open-sqlite.ts';
import type { Engine, Storage } from '../../packages/server/src/storage/storage.ts';
import { createDatabase } from './postgres.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A database for one test, without a house around it. */
export type TestStorage = AsyncDisposable & {
  readonly storage: Storage;
  readonly database_url: string | undefined;
  /** On PostgreSQL, the same database as another process would open it; closed with the first. */
  beside(): Storage;
};

/** Opens an empty database; `await using` closes and removes it. */
export async function openTestStorage(engine: Engine): Promise<TestStorage> {
  const kept = new AsyncDisposableStack();
  if (engine === 'sqlite') {
    const folder = temporaryFolder();
    kept.defer(() => folder.remove());
    const storage = openSqlite(join(folder.path, 'stoa.db'));
    kept.defer(() => storage.close());
    return {
      storage,
      database_url: undefined,
      beside() {
        throw new Error('one process has a SQLite database to itself');
      },
      [Symbol.asyncDispose]: () => kept.disposeAsync(),
    };
  }
  const database = await createDatabase();
  kept.defer(() => database.drop());
  const open = () => {
    const storage = openPostgres(database.url, 4);
    kept.defer(() => storage.close());
    return storage;
  };
  return {
    storage: open(),
    database_url: database.url,
    beside: open,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
