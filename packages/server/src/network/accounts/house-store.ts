import type { Kysely, Selectable } from 'kysely';
import type { AccountTables } from '../tables.ts';

type Db = Kysely<AccountTables>;

/** There is one row. */
const id = 1;

export type SettledHouse = Omit<Selectable<AccountTables['net_house']>, 'id'>;

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
    .values({ id, ...house })
    .execute();
}
