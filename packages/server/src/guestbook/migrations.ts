import type { Migration } from '../storage/migrate.ts';

export const guestbook_migrations: readonly Migration[] = [
  {
    name: 'guestbook-001-book',
    async up(db, columns) {
      await db.schema
        .createTable('guestbook_agent')
        .addColumn('fingerprint', columns.text, (column) => column.primaryKey())
        .addColumn('public_key', columns.text, (column) => column.notNull())
        .addColumn('name', columns.text, (column) => column.notNull())
        .addColumn('registered_at', columns.instant, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('guestbook_entry')
        .addColumn('seq', columns.sequence, (column) => column.primaryKey())
        .addColumn('agent', columns.text, (column) =>
          column.notNull().references('guestbook_agent.fingerprint'),
        )
        .addColumn('date', columns.text, (column) => column.notNull())
        .addColumn('is_hidden', columns.flag, (column) => column.notNull())
        .addUniqueConstraint('guestbook_entry_agent_date', ['agent', 'date'])
        .execute();
      await db.schema
        .createIndex('guestbook_entry_date')
        .on('guestbook_entry')
        .column('date')
        .execute();
      await db.schema
        .createTable('guestbook_registration_count')
        .addColumn('date', columns.text, (column) => column.notNull())
        .addColumn('address_digest', columns.bytes, (column) => column.notNull())
        .addColumn('registrations', columns.integer, (column) => column.notNull())
        .addPrimaryKeyConstraint('guestbook_registration_count_key', ['date', 'address_digest'])
        .execute();
      await db.schema
        .createTable('guestbook_suspension')
        .addColumn('id', columns.integer, (column) => column.primaryKey())
        .addColumn('suspended_at', columns.instant, (column) => column.notNull())
        .execute();
    },
  },
];
