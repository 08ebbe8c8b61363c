import type { Migration } from '../storage/migrate.ts';

/** Waiting for its time, being run, or given up. What is done has no row. */
export type JobState = 'waiting' | 'running' | 'failed';

/** The table of background jobs. */
export type JobTables = {
  job: {
    id: string;
    kind: string;
    key: string | null;
    payload: string;
    state: JobState;
    /** When a worker may take it: its time, or the end of its worker's lease. Null once it failed. */
    claimable_at: number | null;
    /** Runs that were begun, the present one included. */
    attempt: number;
    started_at: number | null;
    worker: string | null;
    failed_at: number | null;
    reason: string | null;
  };
};

export const jobs_migrations: readonly Migration[] = [
  {
    name: 'jobs-001-job',
    async up(db, columns) {
      await db.schema
        .createTable('job')
        .addColumn('id', columns.text, (column) => column.primaryKey())
        .addColumn('kind', columns.text, (column) => column.notNull())
        .addColumn('key', columns.text)
        .addColumn('payload', columns.text, (column) => column.notNull())
        .addColumn('state', columns.text, (column) => column.notNull())
        .addColumn('claimable_at', columns.instant)
        .addColumn('attempt', columns.integer, (column) => column.notNull())
        .addColumn('started_at', columns.instant)
        .addColumn('worker', columns.text)
        .addColumn('failed_at', columns.instant)
        .addColumn('reason', columns.text)
        .execute();
      await db.schema
        .createIndex('job_waiting_key')
        .unique()
        .on('job')
        .columns(['kind', 'key', 'state'])
        .where('state', '=', 'waiting')
        .execute();
      await db.schema
        .createIndex('job_running_key')
        .on('job')
        .columns(['kind', 'key', 'state'])
        .where('state', '=', 'running')
        .execute();
      await db.schema.createIndex('job_claimable').on('job').columns(['claimable_at']).execute();
    },
  },
];
