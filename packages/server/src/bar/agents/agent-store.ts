import type { Insertable, Kysely, Selectable, Updateable } from 'kysely';
import type { BarTables } from '../tables.ts';

type BarDb = Kysely<BarTables>;
export type Agent = Selectable<BarTables['bar_agent']>;

export async function findAgent(db: BarDb, agent_id: string): Promise<Agent | undefined> {
  return db.selectFrom('bar_agent').selectAll().where('agent_id', '=', agent_id).executeTakeFirst();
}

export async function insertAgent(
  db: BarDb,
  agent: Insertable<BarTables['bar_agent']>,
): Promise<void> {
  await db.insertInto('bar_agent').values(agent).execute();
}

/** Changes some columns of an agent; its cache is the caller's to forget. */
export async function updateAgent(
  db: BarDb,
  agent_id: string,
  change: Updateable<BarTables['bar_agent']>,
): Promise<void> {
  await db.updateTable('bar_agent').set(change).where('agent_id', '=', agent_id).execute();
}
