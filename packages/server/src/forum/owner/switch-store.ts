import type { Kysely } from 'kysely';
import type { OwnerTables } from '../tables.ts';

type Db = Kysely<OwnerTables>;
export type Switch = OwnerTables['forum_switch']['name'];

/** Whether a switch of the owner is on; it is off until it is turned. */
export async function isOn(db: Db, name: Switch): Promise<boolean> {
  const row = await db
    .selectFrom('forum_switch')
    .select('is_on')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.is_on === 1;
}

export async function turnSwitch(db: Db, name: Switch, is_on: boolean): Promise<void> {
  const turned = { is_on: is_on ? 1 : 0 };
  await db
    .insertInto('forum_switch')
    .values({ name, ...turned })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(turned))
    .execute();
}
