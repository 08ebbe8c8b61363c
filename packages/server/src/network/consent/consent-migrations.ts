import type { Migration } from '../../storage/migrate.ts';

export const consent_migrations: readonly Migration[] = [
  {
    name: 'network-005-consent',
    async up(db, columns) {
      const { text, integer, instant, flag, clustered } = columns;
      await db.schema
        .createTable('net_contact')
        .addColumn('first_account', text, (column) => column.notNull())
        .addColumn('second_account', text, (column) => column.notNull())
        .addColumn('since', instant, (column) => column.notNull())
        .addPrimaryKeyConstraint('net_contact_pair', ['first_account', 'second_account'])
        .modifyEnd(clustered)
        .execute();
      await db.schema
        .createIndex('net_contact_second')
        .on('net_contact')
        .column('second_account')
        .execute();
      await db.schema
        .createTable('net_block')
        .addColumn('blocker', text, (column) => column.notNull())
        .addColumn('blocked', text, (column) => column.notNull())
        .addColumn('since', instant, (column) => column.notNull())
        .addPrimaryKeyConstraint('net_block_pair', ['blocker', 'blocked'])
        .modifyEnd(clustered)
        .execute();
      await db.schema
        .createTable('net_request')
        .addColumn('id', text, (column) => column.primaryKey())
        .addColumn('number', integer, (column) => column.notNull().unique())
        .addColumn('from_account', text, (column) => column.notNull())
        .addColumn('to_account', text, (column) => column.notNull())
        .addColumn('status', text, (column) => column.notNull())
        .addColumn('is_hidden', flag, (column) => column.notNull())
        .addColumn('was_shown', flag, (column) => column.notNull())
        .addColumn('message_id', text, (column) => column.notNull())
        .addColumn('held', text)
        .addColumn('via', text)
        .addColumn('created_at', instant, (column) => column.notNull())
        .addColumn('answered_at', instant)
        .addColumn('ask_again_at', instant)
        .execute();
      await db.schema
        .createIndex('net_request_from')
        .on('net_request')
        .columns(['from_account', 'number'])
        .execute();
      await db.schema
        .createIndex('net_request_pair')
        .on('net_request')
        .columns(['from_account', 'to_account', 'number'])
        .execute();
      await db.schema
        .createIndex('net_request_to')
        .on('net_request')
        .columns(['to_account', 'status', 'is_hidden', 'number'])
        .execute();
    },
  },
];
