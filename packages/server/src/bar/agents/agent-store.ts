import { type Insertable, type Kysely, type Selectable, sql, type Updateable } from 'kysely';
import type { BarTables } from '../tables.ts';

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
}

/** Changes some columns of an agent; its cache is the caller's to forget. */
export async function updateAgent(
  db: BarDb,
  agent_id: string,
  change: Updateable<BarTables['bar_agent']>,
): Promise<void> {
  await db.updateTable('bar_agent').set(change).where('agent_id', '=', agent_id).execute();
}

/**
 * The agents that are not banned, the last seen first, at most `limit`; with `tag` only those that have
 * it. A tag holds nothing that a string in JSON would escape.
 */
export async function listAgents(
  db: BarDb,
  { tag, limit }: { tag: string | undefined; limit: number },
): Promise<Agent[]> {
  let agents = db.selectFrom('bar_agent').selectAll().where('state', '!=', 'banned');
  if (tag !== undefined) {
    const pattern = `%"${tag.replaceAll('_', '\\_')}"%`;
    agents = agents.where(sql<boolean>`capabilities like ${pattern} escape '\\'`);
  }
  return agents.orderBy('last_seen_at', 'desc').orderBy('agent_id').limit(limit).execute();
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
