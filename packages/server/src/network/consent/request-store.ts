import type { Kysely, Updateable } from 'kysely';
import { prepared } from '../../storage/prepared.ts';
import type { ConsentTables } from '../tables.ts';

type Db = Kysely<ConsentTables>;

/** A first message to a non-contact. */
export type Request = ConsentTables['net_request'];

/** Stores a request as the latest of all. */
export async function insertRequest(db: Db, request: Omit<Request, 'number'>): Promise<void> {
  const last = await db
    .selectFrom('net_request')
    .select((of) => of.fn.max('number').as('number'))
    .executeTakeFirst();
  const number = Number(last?.number ?? 0) + 1;
  await db
    .insertInto('net_request')
    .values({ ...request, number })
    .execute();
}

export function findRequest(db: Db, id: string): Promise<Request | undefined> {
  return db.selectFrom('net_request').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The request of one account to another that waits for an answer, hidden or not. */
export function findPending(
  db: Db,
  { from_account, to_account }: Pick<Request, 'from_account' | 'to_account'>,
): Promise<Request | undefined> {
  return db
    .selectFrom('net_request')
    .selectAll()
    .where('from_account', '=', from_account)
    .where('to_account', '=', to_account)
    .where('status', '=', 'pending')
    .executeTakeFirst();
}

/** At most `limit` requests that wait for an account's answer, the oldest first; hidden ones are left out. */
export function listIncoming(
  db: Db,
  { account, limit }: { account: string; limit: number },
): Promise<Request[]> {
  return db
    .selectFrom('net_request')
    .selectAll()
    .where('to_account', '=', account)
    .where('status', '=', 'pending')
    .where('is_hidden', '=', 0)
    .orderBy('number')
    .limit(limit)
    .execute();
}

const selectCount = prepared((db: Db, { account }: { account: string }) =>
  db
    .selectFrom('net_request')
    .select((of) => of.fn.countAll<number | string>().as('count'))
    .where('to_account', '=', account)
    .where('status', '=', 'pending')
    .where('is_hidden', '=', 0),
);

/** How many requests wait for an account's answer; hidden ones do not count. */
export async function countIncoming(db: Db, account: string): Promise<number> {
  const [row] = await selectCount(db, { account });
  return Number(row?.count ?? 0);
}

/** The last requests that an account made, the latest first. */
export function listOutgoing(
  db: Db,
  { account, limit }: { account: string; limit: number },
): Promise<Request[]> {
  return db
    .selectFrom('net_request')
    .selectAll()
    .where('from_account', '=', account)
    .orderBy('number', 'desc')
    .limit(limit)
    .execute();
}

export async function updateRequest(
  db: Db,
  id: string,
  changes: Updateable<ConsentTables['net_request']>,
): Promise<void> {
  await db.updateTable('net_request').set(changes).where('id', '=', id).execute();
}

/** Hides the pending request of one account to another, or shows it. */
export async function updatePending(
  db: Db,
  { from_account, to_account }: Pick<Request, 'from_account' | 'to_account'>,
  changes: Updateable<ConsentTables['net_request']>,
): Promise<void> {
  await db
    .updateTable('net_request')
    .set(changes)
    .where('from_account', '=', from_account)
    .where('to_account', '=', to_account)
    .where('status', '=', 'pending')
    .execute();
}

/** Lets two accounts ask each other again, whatever was declined. */
export async function forgetDeclines(db: Db, one: string, other: string): Promise<void> {
  for (const [from_account, to_account] of [
    [one, other],
    [other, one],
  ] as const) {
    await db
      .updateTable('net_request')
      .set({ ask_again_at: null })
      .where('from_account', '=', from_account)
      .where('to_account', '=', to_account)
      .where('ask_again_at', 'is not', null)
      .execute();
  }
}
