import type { Migration } from '../../storage/migrate.ts';

export const delivery_migrations: readonly Migration[] = [
  {
    name: 'network-006-webhooks',
    async up(db, columns) {
      const { text, bytes, integer, sequence, instant, clustered } = columns;
      await db.schema
        .createTable('net_webhook')
        .addColumn('account', text, (column) => column.primaryKey())
        .addColumn('url', text, (column) => column.notNull())
        .addColumn('secret_box', bytes, (column) => column.notNull())
        .addColumn('created_at', instant, (column) => column.notNull())
        .addColumn('failed_in_a_row', integer, (column) => column.notNull())
        .addColumn('disabled_at', instant)
        .addColumn('attempts', integer, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('net_webhook_event')
        .addColumn('id', text, (column) => column.primaryKey())
        .addColumn('account', text, (column) => column.notNull())
        .addColumn('seq', sequence, (column) => column.notNull())
        .addColumn('attempts', integer, (column) => column.notNull())
        .addColumn('due_at', instant, (column) => column.notNull())
        .execute();
      await db.schema
        .createIndex('net_webhook_event_due')
        .on('net_webhook_event')
        .columns(['account', 'due_at', 'seq'])
        .execute();
      await db.schema
        .createTable('net_webhook_log')
        .addColumn('account', text, (column) => column.notNull())
        .addColumn('number', integer, (column) => column.notNull())
        .addColumn('at', instant, (column) => column.notNull())
        .addColumn('event', text, (column) => column.notNull())
        .addColumn('attempt', integer, (column) => column.notNull())
        .addColumn('outcome', text, (column) => column.notNull())
        .addPrimaryKeyConstraint('net_webhook_log_of', ['account', 'number'])
        .modifyEnd(clustered)
        .execute();
    },
  },
];
