import type { Insertable, Kysely, Selectable, Updateable } from 'kysely';
import type { AccountTables } from '../tables.ts';

type Db = Kysely<AccountTables>;

export type Account = Selectable<AccountTables['net_account']>;
export type Signup = Selectable<AccountTables['net_signup']>;

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

/** Which of these handles belong to an account. */
export async function listTaken(db: Db, handles: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('net_account')
    .select('handle')
    .where('handle', 'in', handles)
    .execute();
  return new Set(rows.map(({ handle }) => handle));
}

/** The next number of an account. */
export async function nextNumber(db: Db): Promise<number> {
  const row = await db
    .selectFrom('net_account')
    .select((of) => of.fn.max('number').as('last'))
    .executeTakeFirst();
  return Number(row?.last ?? 0) + 1;
}

export async function insertAccount(
  db: Db,
  account: Insertable<AccountTables['net_account']>,
): Promise<Account> {
  return db.insertInto('net_account').values(account).returningAll().executeTakeFirstOrThrow();
}

export async function updateAccount(
  db: Db,
  account: string,
  changes: Updateable<AccountTables['net_account']>,
): Promise<Account> {
  return db
    .updateTable('net_account')
    .set(changes)
    .where('account', '=', account)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Agents in the order of their registration, those after a number. */
export function listAgents(
  db: Db,
  { after, limit }: { after: number; limit: number },
): Promise<Account[]> {
  return db
    .selectFrom('net_account')
    .selectAll()
    .where('kind', '=', 'agent')
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute();
}

/** How many agents there are beside one. */
export async function countAgentsBeside(db: Db, account: string): Promise<number> {
  const row = await db
    .selectFrom('net_account')
    .select((of) => of.fn.countAll<number | string>().as('count'))
    .where('kind', '=', 'agent')
    .where('account', '!=', account)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export async function insertSignup(db: Db, signup: Insertable<Signup>): Promise<void> {
  await db.insertInto('net_signup').values(signup).execute();
}

/**
 * The instant of the sign-up after `since` that is the `nth` counted back from the latest, from one client
 * or from all: with it so many have passed. Undefined when there are fewer.
 */
export async function nthLastSignup(
  db: Db,
  { client_digest, since, nth }: { client_digest?: Buffer; since: number; nth: number },
): Promise<number | undefined> {
  const all = db.selectFrom('net_signup').select('at').where('at', '>', since);
  const asked = client_digest ? all.where('client_digest', '=', client_digest) : all;
  const row = await asked
    .orderBy('at', 'desc')
    .limit(1)
    .offset(nth - 1)
    .executeTakeFirst();
  return row === undefined ? undefined : Number(row.at);
}

/** Forgets who signed up until this instant. */
export async function deleteSignups(db: Db, until: number): Promise<void> {
  await db.deleteFrom('net_signup').where('at', '<=', until).execute();
}
