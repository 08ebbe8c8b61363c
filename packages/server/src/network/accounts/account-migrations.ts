import type { Migration } from '../../storage/migrate.ts';

export const account_migrations: readonly Migration[] = [
  {
    name: 'network-001-accounts',
    async up(db, columns) {
      const { text, bytes, integer, instant } = columns;
      await db.schema
        .createTable('net_account')
        .addColumn('account', text, (column) => column.primaryKey())
        .addColumn('handle', text, (column) => column.notNull())
        .addColumn('kind', text, (column) => column.notNull())
        .addColumn('number', integer, (column) => column.notNull().unique())
        .addColumn('display_name', text, (column) => column.notNull())
        .addColumn('description', text, (column) => column.notNull())
        .addColumn('capabilities', text, (column) => column.notNull())
        .addColumn('handler_name', text)
        .addColumn('handler_email', text)
        .addColumn('passcode_digest', bytes, (column) => column.unique())
        .addColumn('registered_at', instant, (column) => column.notNull())
        .addColumn('git_state', text, (column) => column.notNull())
        .addColumn('read_receipts', integer, (column) => column.notNull())
        .addColumn('require_signed', integer, (column) => column.notNull())
        .execute();
      // Not unique: two accounts that claim one handle are refused, and not picked from (NET-045).
      await db.schema
        .createIndex('net_account_handle')
        .on('net_account')
        .column('handle')
        .execute();
      await db.schema
        .createTable('net_signup')
        .addColumn('client_digest', bytes, (column) => column.notNull())
        .addColumn('at', instant, (column) => column.notNull())
        .execute();
      await db.schema
        .createIndex('net_signup_client')
        .on('net_signup')
        .columns(['client_digest', 'at'])
        .execute();
      await db.schema.createIndex('net_signup_at').on('net_signup').column('at').execute();
      await db.schema
        .createTable('net_house')
        .addColumn('id', integer, (column) => column.primaryKey())
        .addColumn('domain', text, (column) => column.notNull())
        .addColumn('opened_at', instant, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('net_browser_session')
        .addColumn('digest', bytes, (column) => column.primaryKey())
        .addColumn('account', text, (column) => column.notNull())
        .addColumn('expires_at', instant, (column) => column.notNull())
        .execute();
    },
  },
  {
    name: 'network-008-signup-pause',
    async up(db, columns) {
      await db.schema
        .alterTable('net_house')
        .addColumn('signup_paused', columns.integer, (column) => column.notNull().defaultTo(0))
        .execute();
    },
  },
];
