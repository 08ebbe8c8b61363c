import type { Kysely, Selectable } from 'kysely';
import type { AccountTables } from '../tables.ts';

type Db = Kysely<AccountTables>;

export type Account = Selectable<AccountTables['forum_account']>;

/** The account whose token has this digest. */
export function findByToken(db: Db, token_digest: Buffer): Promise<Account | undefined> {
  return db
    .selectFrom('forum_account')
    .selectAll()
    .where('token_digest', '=', token_digest)
    .executeTakeFirst();
}

/** The account of this id, a tombstone too. */
export function findAccount(db: Db, id: number): Promise<Account | undefined> {
  return db.selectFrom('forum_account').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The account that has this handle. */
export function findByHandle(db: Db, handle: string): Promise<Account | undefined> {
  return db.selectFrom('forum_account').selectAll().where('handle', '=', handle).executeTakeFirst();
}
