import type { Kysely, Selectable } from 'kysely';
import { prepared } from '../../storage/prepared.ts';
import type { InboxTables } from '../tables.ts';

type Db = Kysely<InboxTables>;

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

export async function insertDirect(db: Db, direct: Direct): Promise<void> {
  await db.insertInto('net_direct').values(direct).execute();
}

/** What was sent to inboxes alone, by id. */
export async function listDirects(db: Db, ids: readonly string[]): Promise<Map<string, Direct>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('net_direct').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}
