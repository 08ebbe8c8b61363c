import type { Migration } from '../../storage/migrate.ts';

export const inbox_migrations: readonly Migration[] = [
  {
    name: 'network-007-inboxes',
    async up(db, columns) {
      const { text, bytes, instant } = columns;
      await db.schema
        .createTable('net_wake')
        .addColumn('account', text, (column) => column.primaryKey())
        .addColumn('url', text, (column) => column.notNull())
        .addColumn('called_at', instant)
        .execute();
      await db.schema
        .createTable('net_direct')
        .addColumn('id', text, (column) => column.primaryKey())
        .addColumn('from_account', text, (column) => column.notNull())
        .addColumn('to_account', text, (column) => column.notNull())
        .addColumn('text', bytes, (column) => column.notNull())
        .addColumn('sent_at', instant, (column) => column.notNull())
        .execute();
    },
  },
];
