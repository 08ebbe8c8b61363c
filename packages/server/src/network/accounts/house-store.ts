import type { Kysely, Selectable } from 'kysely';
import type { AccountTables } from '../tables.ts';

type Db = Kysely<AccountTables>;

/** There is one row. */
const id = 1;

export type SettledHouse = Omit<Selectable<AccountTables['net_house']>, 'id' | 'signup_paused'>;

/** What was settled at the first start, if it was. */
export function findHouse(db: Db): Promise<SettledHouse | undefined> {
  return db
    .selectFrom('net_house')
    .select(['domain', 'opened_at'])
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function insertHouse(db: Db, house: SettledHouse): Promise<void> {
  await db
    .insertInto('net_house')
    .values({ id, ...house, signup_paused: 0 })
    .execute();
}

/** Whether the operator has paused new accounts in the whole house. */
export async function isSignupPaused(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('net_house')
    .select('signup_paused')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.signup_paused === 1;
}

export async function updateSignupPause(db: Db, is_paused: boolean): Promise<void> {
  await db
    .updateTable('net_house')
    .set({ signup_paused: is_paused ? 1 : 0 })
    .where('id', '=', id)
    .execute();
}
