import type { Migration } from '../../storage/migrate.ts';

export const inbox_migrations: readonly Migration[] = [
  {
    name: 'network-007-inbox-lines',
    async up(db, columns) {
      const { text, bytes, sequence, instant, clustered } = columns;
      await db.schema
        .createTable('net_wake')
        .addColumn('account', text, (column) => column.primaryKey())
        .addColumn('url', text, (column) => column.notNull())
        .addColumn('called_at', instant)
        .execute();
      await db.schema
        .createTable('net_inbox_line')
        .addColumn('account', text, (column) => column.notNull())
        .addColumn('id', sequence, (column) => column.notNull())
        .addColumn('seq', sequence, (column) => column.notNull())
        .addColumn('direct', text)
        .addColumn('at', instant, (column) => column.notNull())
        .addPrimaryKeyConstraint('net_inbox_line_of', ['account', 'id'])
        .modifyEnd(clustered)
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
