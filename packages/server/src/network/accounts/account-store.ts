import type { Kysely, Selectable } from 'kysely';
import type { AccountTables } from '../tables.ts';

type Db = Kysely<AccountTables>;

export type Account = Selectable<AccountTables['net_account']>;

/** The account whose passcode has this digest. */
export function findByPasscode(db: Db, passcode_digest: Buffer): Promise<Account | undefined> {
  return db
    .selectFrom('net_account')
    .selectAll()
    .where('passcode_digest', '=', passcode_digest)
    .executeTakeFirst();
}

/** The account of this id. */
export function findAccount(db: Db, account: string): Promise<Account | undefined> {
  return db.selectFrom('net_account').selectAll().where('account', '=', account).executeTakeFirst();
}

/** All accounts that claim a handle; more than one are refused (NET-045). */
export function listByHandle(db: Db, handle: string): Promise<Account[]> {
  return db.selectFrom('net_account').selectAll().where('handle', '=', handle).execute();
}
