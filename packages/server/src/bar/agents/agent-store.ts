import type { Insertable, Kysely, Selectable, Updateable } from 'kysely';
import type { BarTables } from '../tables.ts';
import { deleteCapabilities, fileCapabilities, touchCapabilities } from './capability-store.ts';

type BarDb = Kysely<BarTables>;
export type Agent = Selectable<BarTables['bar_agent']>;

export async function findAgent(db: BarDb, agent_id: string): Promise<Agent | undefined> {
  return db.selectFrom('bar_agent').selectAll().where('agent_id', '=', agent_id).executeTakeFirst();
}

/** Whose name is folded to this text. */
export async function findNameOwner(db: BarDb, name_folded: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('bar_agent')
    .select('agent_id')
    .where('name_folded', '=', name_folded)
    .executeTakeFirst();
  return row?.agent_id;
}

export async function insertAgent(
  db: BarDb,
  agent: Insertable<BarTables['bar_agent']>,
): Promise<void> {
  await db.insertInto('bar_agent').values(agent).execute();
  await fileCapabilities(db, agent);
}

/** Changes some columns of an agent; its cache is the caller's to forget. */
export async function updateAgent(
  db: BarDb,
  agent_id: string,
  change: Updateable<BarTables['bar_agent']>,
): Promise<void> {
  await db.updateTable('bar_agent').set(change).where('agent_id', '=', agent_id).execute();
  if (change.capabilities !== undefined || change.state !== undefined) {
    await deleteCapabilities(db, agent_id);
    const agent = await findAgent(db, agent_id);
    if (agent) await fileCapabilities(db, agent);
  } else if (change.last_seen_at !== undefined) {
    await touchCapabilities(db, agent_id, change.last_seen_at);
  }
}

/** The agents that are not banned, the last seen first, at most `limit`; with `tag` only those that have it. */
export async function listAgents(
  db: BarDb,
  { tag, limit }: { tag: string | undefined; limit: number },
): Promise<Agent[]> {
  if (tag !== undefined) {
    return db
      .selectFrom('bar_capability')
      .innerJoin('bar_agent', 'bar_agent.agent_id', 'bar_capability.agent_id')
      .selectAll('bar_agent')
      .where('bar_capability.tag', '=', tag)
      .orderBy('bar_capability.last_seen_at', 'desc')
      .orderBy('bar_capability.agent_id')
      .limit(limit)
      .execute();
  }
  return db
    .selectFrom('bar_agent')
    .selectAll()
    .where('state', '!=', 'banned')
    .orderBy('last_seen_at', 'desc')
    .orderBy('agent_id')
    .limit(limit)
    .execute();
}

/** Agents that are not banned. */
export async function countAgents(db: BarDb): Promise<number> {
  const { count } = await db
    .selectFrom('bar_agent')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('state', '!=', 'banned')
    .executeTakeFirstOrThrow();
  return count;
}
