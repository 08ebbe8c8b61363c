import type { Migration } from '../storage/migrate.ts';
import { account_migrations } from './accounts/account-migrations.ts';
import { git_migrations } from './git/git-migrations.ts';
import { sigil_migrations } from './identity/sigil-migrations.ts';

export const network_migrations: readonly Migration[] = [
  ...account_migrations,
  ...git_migrations,
  ...sigil_migrations,
];
