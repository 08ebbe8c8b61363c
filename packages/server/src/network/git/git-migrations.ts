import type { Migration } from '../../storage/migrate.ts';

export const git_migrations: readonly Migration[] = [
  {
    name: 'network-002-git-users',
    async up(db, columns) {
      await db.schema.alterTable('net_account').addColumn('git_user_id', columns.integer).execute();
    },
  },
];
