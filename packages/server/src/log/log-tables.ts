import type { Migration } from '../storage/migrate.ts';

/** The tables of the log. */
export type LogTables = {
  log_stream: { stream: string; position: number; entries: number; hash: Buffer | null };
  log_entry: {
    stream: string;
    position: number;
    at: number;
    prev_hash: Buffer | null;
    hash: Buffer | null;
    body: string;
  };
};

export const log_migrations: readonly Migration[] = [
  {
    name: 'log-001-streams',
    async up(db, columns) {
      await db.schema
        .createTable('log_stream')
        .addColumn('stream', columns.text, (column) => column.primaryKey())
        .addColumn('position', columns.sequence, (column) => column.notNull())
        .addColumn('entries', columns.integer, (column) => column.notNull())
        .addColumn('hash', columns.bytes)
        .execute();
      await db.schema
        .createTable('log_entry')
        .addColumn('stream', columns.text, (column) => column.notNull())
        .addColumn('position', columns.sequence, (column) => column.notNull())
        .addColumn('at', columns.instant, (column) => column.notNull())
        .addColumn('prev_hash', columns.bytes)
        .addColumn('hash', columns.bytes)
        .addColumn('body', columns.text, (column) => column.notNull())
        // Not clustered: entries of many streams that come in turn would each go into another page of the table.
        .addPrimaryKeyConstraint('log_entry_key', ['stream', 'position'])
        .execute();
    },
  },
];
