import { Pool } from 'pg';
import { GroupCommit } from '../group-commit.ts';
import { migrate } from '../migrate.ts';
import type { Storage } from '../storage.ts';
import { clientSettings } from './client-settings.ts';
import { pooledDb } from './postgres-dialect.ts';
import { postgresWriter } from './postgres-writer.ts';
import { listenForWakes } from './wake-listener.ts';

/** Works of one transaction; others of the house wait for its lock meanwhile. */
const batch_works_max = 256;

/**
 * Opens the PostgreSQL database at `database_url`, which any number of processes may share. Nothing
 * is connected yet: an unreachable database shows at the first use, and is tried anew at each.
 */
export function openPostgres(database_url: string, readers_max: number): Storage {
  const listeners: ((topic: string) => void)[] = [];
  const wake = (topic: string) => {
    for (const listener of listeners) listener(topic);
  };
  const writer = postgresWriter(database_url);
  const pool = new Pool({ ...clientSettings(database_url, 'stoa reader'), max: readers_max });
  // A reader that breaks is dropped by the pool, and the next read opens another; one that breaks while
  // it is in use says so to its query as well.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const pooled = pooledDb(pool);
  const listener = listenForWakes(database_url, wake);
  const commits = new GroupCommit({ writer, batch_works_max, wake });

  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    await commits.close();
    await listener.close();
    await writer.close();
    await pool.end();
  }

  return {
    engine: 'postgres',
    transact: (work) => commits.transact(work),
    read: pooled,
    direct: pooled,
    join: (participant) => commits.join(participant),
    onWake: (added) => listeners.push(added),
    migrate: (migrations) => migrate(pooled, 'postgres', migrations),
    async ping() {
      await pool.query('select 1');
    },
    async backUp() {
      throw new Error('back up a PostgreSQL house with pg_dump');
    },
    async truncateJournal() {},
    close() {
      closing ??= close();
      return closing;
    },
  };
}
