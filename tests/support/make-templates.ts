// Makes databases that have every table of the house and nothing in them, for the houses of tests to begin
// from: `make-templates.ts <folder> [<PostgreSQL URL>]`.
import { join } from 'node:path';
import pg from 'pg';
import { rooms } from '../../packages/server/src/house.ts';
import { jobs_migrations } from '../../packages/server/src/jobs/jobs-tables.ts';
import { limits_migrations } from '../../packages/server/src/limits/limits-tables.ts';
import { log_migrations } from '../../packages/server/src/log/log-tables.ts';
import { secrets_migrations } from '../../packages/server/src/secrets.ts';
import { openPostgres } from '../../packages/server/src/storage/postgres/open-postgres.ts';
import { openSqlite } from '../../packages/server/src/storage/sqlite/open-sqlite.ts';
import type { Storage } from '../../packages/server/src/storage/storage.ts';
import { postgres_template, sqlite_template } from './templates.ts';

async function prepare(storage: Storage): Promise<void> {
  // What is not in this list, a house adds when it opens.
  await storage.migrate([
    ...log_migrations,
    ...jobs_migrations,
    ...limits_migrations[storage.engine],
    ...secrets_migrations,
    ...rooms.flatMap(({ migrations }) => migrations),
  ]);
  await storage.close();
}

const [folder = '', postgres_url] = process.argv.slice(2);
await prepare(openSqlite(join(folder, sqlite_template)));
if (postgres_url !== undefined) {
  const client = new pg.Client(postgres_url);
  await client.connect();
  await client.query(`create database ${postgres_template} strategy file_copy`);
  await client.end();
  const url = new URL(postgres_url);
  url.pathname = `/${postgres_template}`;
  await prepare(openPostgres(url.href, 1));
}
