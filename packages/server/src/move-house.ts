import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { clearStaleSocket } from './admin/admin-socket.ts';
import type { Config } from './config.ts';
import type { Room } from './room.ts';
import { StartError, startFault } from './start-fault.ts';
import type { Migration } from './storage/migrate.ts';
import { findFilledTable, listPostgresTables, moveRows } from './storage/move-rows.ts';
import { openPostgres } from './storage/postgres/open-postgres.ts';
import { openSqlite } from './storage/sqlite/open-sqlite.ts';
import { type Db, type Engine, type Storage, StorageUnavailableError } from './storage/storage.ts';

/** What is left of a house in the folder that it has moved from. */
export const moved_file = 'stoa.db.moved';

/** Lies beside the database while its house moves: a move that broke off has left it, perhaps when all was there. */
export const moving_file = 'stoa.db.moving';

type Move = {
  readonly config: Config;
  readonly rooms: readonly Room[];
  readonly migrationsOf: (engine: Engine) => readonly Migration[];
  /** Is told how far it has come, a line at a time. */
  readonly say: (line: string) => void;
};

/**
 * Takes the house of a data folder along to an empty PostgreSQL database, all of it or nothing. What it
 * was in is kept under another name, so that nobody opens it by mistake. Rejects with a `StartError` if
 * there is something that the operator can mend.
 */
export async function moveHouse(move: Move): Promise<void> {
  const { config, say } = move;
  const path = join(config.data, 'stoa.db');
  const kept_path = join(config.data, moved_file);
  const moving_path = join(config.data, moving_file);
  const { database_url } = config;
  if (database_url === undefined) {
    throw new StartError(
      'say where to, by --database-url or database_url in the file: postgres://…',
    );
  }
  if (!existsSync(path)) throw new StartError(`there is no ${path}, so nothing to move`);
  if (existsSync(kept_path)) {
    throw new StartError(`${kept_path} exists, from a move before; take it away first`);
  }
  const opened = new AsyncDisposableStack();
  let is_moving = false;
  try {
    opened.use(await closeFolder(config.data));
    const from = openSqlite(path);
    opened.defer(() => from.close());
    const to = openPostgres(database_url, 1);
    opened.defer(() => to.close());
    await refuseOthers(to, existsSync(moving_path));
    await from.migrate(move.migrationsOf('sqlite'));
    await to.migrate(move.migrationsOf('postgres'));
    writeFileSync(moving_path, '');
    is_moving = true;
    const rows = await copyRows(from, to, move);
    await from.close();
    renameSync(path, kept_path);
    rmSync(moving_path);
    say(`moved ${rows} rows, and read each of them back`);
    say(`the database of before is kept as ${kept_path}; cards stay where they are`);
    say('from now on, serve this house with the same database_url');
  } catch (error) {
    // What a database did that has not answered nobody knows.
    const is_undone = !(error instanceof StorageUnavailableError);
    if (is_moving && is_undone) rmSync(moving_path, { force: true });
    throw startFault(error, config);
  } finally {
    await opened.disposeAsync();
  }
}

/** No house opens in the folder meanwhile, for it finds somebody at its socket. */
async function closeFolder(data: string): Promise<AsyncDisposable> {
  const path = join(data, 'admin.sock');
  await clearStaleSocket(path);
  const server = createServer((caller) => caller.destroy());
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(path, resolve);
  await promise;
  return server;
}

/** Leaves a database alone that is used for something else, before anything is made in it. */
async function refuseOthers(to: Storage, broke_off: boolean): Promise<void> {
  const [table, ...others] = await listPostgresTables(to.read);
  if (table !== undefined && ![table, ...others].includes('stoa_migration')) {
    throw new StartError(
      `the PostgreSQL database is not empty: it has a table ${table} that is not Stoa's`,
    );
  }
  await refuseFilled(to.read, broke_off);
}

async function refuseFilled(db: Db, broke_off = false): Promise<void> {
  const filled = await findFilledTable(db);
  if (filled === undefined) return;
  const done =
    'if the move that broke off went there, all is there: take stoa.db away and serve that';
  throw new StartError(
    `the PostgreSQL database is not empty: ${filled} has rows, so a house is in it; ${broke_off ? done : 'name an empty one'}`,
  );
}

/** Holds the one turn to write of both databases until all is done. */
function copyRows(from: Storage, to: Storage, { rooms, say }: Move): Promise<number> {
  return from.transact(async ({ db: from_db }) =>
    to.transact(async ({ db: to_db }) => {
      // Somebody may have opened a house there since it was looked at.
      await refuseFilled(to_db);
      return moveRows(from_db, to_db, {
        progress: (table, count) => say(`${table}: ${count}`),
        async settle() {
          for (const room of rooms) await room.settleMoved?.(from_db, to_db);
        },
      });
    }),
  );
}
