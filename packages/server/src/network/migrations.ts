import type { Migration } from '../storage/migrate.ts';
import { account_migrations } from './accounts/account-migrations.ts';

export const network_migrations: readonly Migration[] = [...account_migrations];
