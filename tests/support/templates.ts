import { copyFileSync } from 'node:fs';
import { join } from 'node:path';

/** Names of the databases that `make-templates.ts` makes. */
export const sqlite_template = 'stoa.db';
export const postgres_template = 'stoa_template';

const { STOA_TEST_SQLITE_TEMPLATE: sqlite_path, STOA_TEST_POSTGRES_TEMPLATE: postgres_name } =
  process.env;

/** Begins a data folder with a database that has every table, if the test runner made one. */
export function copySqliteTemplate(data: string): void {
  if (sqlite_path !== undefined) copyFileSync(sqlite_path, join(data, 'stoa.db'));
}

/** The clause by which a PostgreSQL database begins with every table, if the test runner made one. */
export const from_postgres_template =
  postgres_name === undefined ? '' : `template ${postgres_name}`;
