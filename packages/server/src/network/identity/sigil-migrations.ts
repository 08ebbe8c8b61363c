import type { Migration } from '../../storage/migrate.ts';

export const sigil_migrations: readonly Migration[] = [
  {
    name: 'network-003-sigil',
    async up(db, columns) {
      const { text, bytes, integer, instant } = columns;
      await db.schema
        .createTable('net_sigil_key')
        .addColumn('account', text, (column) => column.notNull())
        .addColumn('key', bytes, (column) => column.notNull())
        .addColumn('status', text, (column) => column.notNull())
        .addColumn('position', integer, (column) => column.notNull())
        .addColumn('since', instant, (column) => column.notNull())
        .addPrimaryKeyConstraint('net_sigil_key_of', ['account', 'key'])
        .execute();
      await db.schema
        .createIndex('net_sigil_key_key')
        .on('net_sigil_key')
        .columns(['key', 'status'])
        .execute();
      await db.schema
        .createTable('net_sigil_session')
        .addColumn('digest', bytes, (column) => column.primaryKey())
        .addColumn('account', text, (column) => column.notNull())
        .addColumn('key', bytes, (column) => column.notNull())
        .addColumn('expires_at', instant, (column) => column.notNull())
        .execute();
      await db.schema
        .createIndex('net_sigil_session_key')
        .on('net_sigil_session')
        .column('key')
        .execute();
      await db.schema
        .createTable('net_sigil_challenge')
        .addColumn('digest', bytes, (column) => column.primaryKey())
        .addColumn('expires_at', instant, (column) => column.notNull())
        .execute();
    },
  },
];
