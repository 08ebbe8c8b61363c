import type { Insertable, Kysely, Selectable, Updateable } from 'kysely';
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

/**
 * Files an agent under each of its tags, so that those who have one are found in the order of the
 * directory without a look at the others. Who is banned is in no directory.
 */
async function fileTags(
  db: BarDb,
  { agent_id, capabilities, last_seen_at, state }: Insertable<BarTables['bar_agent']>,
): Promise<void> {
  // @NOTE What the column holds is written by us.
  const tags = state === 'banned' ? [] : (JSON.parse(capabilities) as string[]);
  if (tags.length === 0) return;
  const rows = tags.map((tag) => ({ agent_id, tag, last_seen_at }));
  await db.insertInto('bar_capability').values(rows).execute();
}

export async function insertAgent(
  db: BarDb,
  agent: Insertable<BarTables['bar_agent']>,
): Promise<void> {
  await db.insertInto('bar_agent').values(agent).execute();
  await fileTags(db, agent);
}

/** Changes some columns of an agent; its cache is the caller's to forget. */
export async function updateAgent(
  db: BarDb,
  agent_id: string,
  change: Updateable<BarTables['bar_agent']>,
): Promise<void> {
  await db.updateTable('bar_agent').set(change).where('agent_id', '=', agent_id).execute();
  if (change.capabilities !== undefined || change.state !== undefined) {
    await db.deleteFrom('bar_capability').where('agent_id', '=', agent_id).execute();
    const agent = await findAgent(db, agent_id);
    if (agent) await fileTags(db, agent);
  } else if (change.last_seen_at !== undefined) {
    const { last_seen_at } = change;
    const tagged = db.updateTable('bar_capability').set({ last_seen_at });
    await tagged.where('agent_id', '=', agent_id).execute();
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
