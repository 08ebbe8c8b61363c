import type { Kysely, Selectable } from 'kysely';
import type { BarTables } from '../tables.ts';

type BarDb = Kysely<BarTables>;
type Tagged = Pick<
  Selectable<BarTables['bar_agent']>,
  'agent_id' | 'capabilities' | 'last_seen_at' | 'state'
>;

/**
 * Files an agent under each of its tags, so that those who have one are found in the order of the
 * directory without a look at the others. Who is banned is in no directory.
 */
export async function fileCapabilities(
  db: BarDb,
  { agent_id, capabilities, last_seen_at, state }: Tagged,
): Promise<void> {
  // @NOTE What the column holds is written by us.
  const tags = state === 'banned' ? [] : (JSON.parse(capabilities) as string[]);
  if (tags.length === 0) return;
  await db
    .insertInto('bar_capability')
    .values(tags.map((tag) => ({ agent_id, tag, last_seen_at })))
    .execute();
}

export async function deleteCapabilities(db: BarDb, agent_id: string): Promise<void> {
  await db.deleteFrom('bar_capability').where('agent_id', '=', agent_id).execute();
}

/** Moves an agent to its place among those of its tags. */
export async function touchCapabilities(
  db: BarDb,
  agent_id: string,
  last_seen_at: number,
): Promise<void> {
  await db
    .updateTable('bar_capability')
    .set({ last_seen_at })
    .where('agent_id', '=', agent_id)
    .execute();
}
