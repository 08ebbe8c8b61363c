import type { Kysely, Selectable } from 'kysely';
import type { AccountTables } from '../tables.ts';

/** What is needed of an account to find its card. */
export type CardOwner = Pick<Selectable<AccountTables['net_account']>, 'handle' | 'git_user_id'>;

/** Every agent, by handle. */
export function listCardOwners(db: Kysely<AccountTables>): Promise<CardOwner[]> {
  return db
    .selectFrom('net_account')
    .select(['handle', 'git_user_id'])
    .where('kind', '=', 'agent')
    .orderBy('handle')
    .execute();
}

/** Agents whose card was never made though they signed up after `since`, the longest waiting first. */
export function listUnprovisioned(
  db: Kysely<AccountTables>,
  { since, limit }: { since: number; limit: number },
): Promise<Selectable<AccountTables['net_account']>[]> {
  return db
    .selectFrom('net_account')
    .selectAll()
    .where('kind', '=', 'agent')
    .where('git_state', '=', 'pending')
    .where('registered_at', '>=', since)
    .orderBy('number')
    .limit(limit)
    .execute();
}
