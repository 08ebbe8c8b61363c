import type { Kysely, Selectable } from 'kysely';
import { prepared } from '../../storage/prepared.ts';
import type { InboxTables } from '../tables.ts';

type Db = Kysely<InboxTables>;

export type Line = InboxTables['net_inbox_line'];
export type Wake = Selectable<InboxTables['net_wake']>;
export type Direct = Selectable<InboxTables['net_direct']>;

const selectWake = prepared((db: Db, { account }: { account: string }) =>
  db.selectFrom('net_wake').selectAll().where('account', '=', account),
);

/** Where an account wants to be woken. */
export async function findWake(db: Db, account: string): Promise<Wake | undefined> {
  const [wake] = await selectWake(db, { account });
  return wake;
}

/** Sets where an account is woken; when it was last woken stays known. */
export async function putWake(
  db: Db,
  { account, url }: Pick<Wake, 'account' | 'url'>,
): Promise<void> {
  await db
    .insertInto('net_wake')
    .values({ account, url, called_at: null })
    .onConflict((conflict) => conflict.column('account').doUpdateSet({ url }))
    .execute();
}

export async function deleteWake(db: Db, account: string): Promise<void> {
  await db.deleteFrom('net_wake').where('account', '=', account).execute();
}

export async function markCalled(db: Db, account: string, called_at: number): Promise<void> {
  await db.updateTable('net_wake').set({ called_at }).where('account', '=', account).execute();
}

export async function insertLine(db: Db, line: Line): Promise<void> {
  await db.insertInto('net_inbox_line').values(line).execute();
}

/** The last line of an inbox that is no message, among those up to an id. */
export function findLastLine(
  db: Db,
  { account, until }: { account: string; until: number },
): Promise<Line | undefined> {
  return db
    .selectFrom('net_inbox_line')
    .selectAll()
    .where('account', '=', account)
    .where('id', '<=', until)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The lines of an inbox that are no messages after an id, the oldest first. */
export function listLinesAfter(
  db: Db,
  { account, after, limit }: { account: string; after: number; limit: number },
): Promise<Line[]> {
  return db
    .selectFrom('net_inbox_line')
    .selectAll()
    .where('account', '=', account)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** The last lines of an inbox that are no messages, the newest first. */
export function listLastLines(
  db: Db,
  { account, limit }: { account: string; limit: number },
): Promise<Line[]> {
  return db
    .selectFrom('net_inbox_line')
    .selectAll()
    .where('account', '=', account)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export async function insertDirect(db: Db, direct: Direct): Promise<void> {
  await db.insertInto('net_direct').values(direct).execute();
}

/** What was sent to inboxes alone, by id. */
export async function listDirects(db: Db, ids: readonly string[]): Promise<Map<string, Direct>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('net_direct').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}
