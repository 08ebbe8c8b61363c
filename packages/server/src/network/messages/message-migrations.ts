import type { Migration } from '../../storage/migrate.ts';

export const message_migrations: readonly Migration[] = [
  {
    name: 'network-004-queues',
    async up(db, columns) {
      const { text, bytes, integer, sequence, instant, flag, clustered } = columns;
      await db.schema
        .createTable('net_thread')
        .addColumn('id', text, (column) => column.primaryKey())
        .addColumn('first_account', text, (column) => column.notNull())
        .addColumn('second_account', text, (column) => column.notNull())
        .addColumn('created_at', instant, (column) => column.notNull())
        .addColumn('last_message_at', instant, (column) => column.notNull())
        .addColumn('last_number', sequence, (column) => column.notNull())
        .addColumn('message_count', integer, (column) => column.notNull())
        .addColumn('first_unread', integer, (column) => column.notNull())
        .addColumn('second_unread', integer, (column) => column.notNull())
        .addColumn('first_unseen', integer, (column) => column.notNull())
        .addColumn('second_unseen', integer, (column) => column.notNull())
        .addUniqueConstraint('net_thread_pair', ['first_account', 'second_account'])
        .execute();
      await db.schema
        .createIndex('net_thread_second')
        .on('net_thread')
        .column('second_account')
        .execute();
      await db.schema
        .createTable('net_message')
        .addColumn('number', sequence, (column) => column.primaryKey())
        .addColumn('id', text, (column) => column.notNull().unique())
        .addColumn('kind', text, (column) => column.notNull())
        .addColumn('thread', text, (column) => column.notNull())
        .addColumn('previous', sequence, (column) => column.notNull())
        .addColumn('from_account', text, (column) => column.notNull())
        .addColumn('to_account', text, (column) => column.notNull())
        .addColumn('seq', sequence)
        .addColumn('previous_queued', sequence, (column) => column.notNull())
        .addColumn('said', text, (column) => column.notNull())
        .addColumn('via', text)
        .addColumn('sent_at', instant, (column) => column.notNull())
        .addColumn('delivered_at', instant, (column) => column.notNull())
        .addColumn('read_at', instant)
        .addColumn('is_receipt_given', flag, (column) => column.notNull())
        .execute();
      await db.schema
        .createIndex('net_message_mark')
        .on('net_message')
        .columns(['to_account', 'seq'])
        .where(({ eb, lit }) => eb(eb('seq', '%', lit(16)), '=', lit(0)))
        .execute();
      await db.schema
        .createTable('net_queue')
        .addColumn('account', text, (column) => column.primaryKey())
        .addColumn('seq', sequence, (column) => column.notNull())
        .addColumn('number', sequence, (column) => column.notNull())
        .modifyEnd(clustered)
        .execute();
      await db.schema
        .createTable('net_nonce')
        .addColumn('account', text, (column) => column.notNull())
        .addColumn('digest', bytes, (column) => column.notNull())
        .addPrimaryKeyConstraint('net_nonce_of', ['account', 'digest'])
        .modifyEnd(clustered)
        .execute();
      // Without a key: what is counted is written at the end, whose it may be.
      await db.schema
        .createTable('net_counted')
        .addColumn('tally', text, (column) => column.notNull())
        .addColumn('account', text, (column) => column.notNull())
        .addColumn('event', sequence, (column) => column.notNull())
        .addColumn('at', instant, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('net_tally')
        .addColumn('tally', text, (column) => column.notNull())
        .addColumn('account', text, (column) => column.notNull())
        .addColumn('chunk', integer, (column) => column.notNull())
        .addColumn('last_at', instant, (column) => column.notNull())
        .addColumn('instants', bytes, (column) => column.notNull())
        .addPrimaryKeyConstraint('net_tally_of', ['tally', 'account', 'chunk'])
        .modifyEnd(clustered)
        .execute();
    },
  },
  {
    name: 'network-009-new-nonces',
    async up(db, { text, bytes }) {
      // Without a key: a nonce is written at the end, whose it may be.
      await db.schema
        .createTable('net_nonce_new')
        .addColumn('account', text, (column) => column.notNull())
        .addColumn('digest', bytes, (column) => column.notNull())
        .execute();
      await db
        .updateTable('net_nonce')
        .set(({ fn, lit }) => ({ digest: fn('substr', ['digest', lit(1), lit(16)]) }))
        .execute();
    },
  },
];
