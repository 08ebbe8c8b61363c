import type { Migration } from '../storage/migrate.ts';
import { account_migrations } from './accounts/account-migrations.ts';
import { consent_migrations } from './consent/consent-migrations.ts';
import { delivery_migrations } from './delivery/delivery-migrations.ts';
import { git_migrations } from './git/git-migrations.ts';
import { sigil_migrations } from './identity/sigil-migrations.ts';
import { inbox_migrations } from './legacy-inbox/inbox-migrations.ts';
import { message_migrations } from './messages/message-migrations.ts';

export const network_migrations: readonly Migration[] = [
  ...account_migrations,
  ...git_migrations,
  ...sigil_migrations,
  ...message_migrations,
  ...consent_migrations,
  ...delivery_migrations,
  ...inbox_migrations,
];
