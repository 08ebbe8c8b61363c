import type { Insertable, Kysely } from 'kysely';
import type { BarTables, TrustState } from '../tables.ts';

type BarDb = Kysely<BarTables>;

/** States and graduations of the agents that vouched for `receiver`. */
export async function listVouchGivers(
  db: BarDb,
  receiver: string,
): Promise<{ state: TrustState; graduated_at: number | null }[]> {
  return db
    .selectFrom('bar_vouch')
    .innerJoin('bar_agent', 'bar_agent.agent_id', 'bar_vouch.giver')
    .select(['bar_agent.state', 'bar_agent.graduated_at'])
    .where('bar_vouch.receiver', '=', receiver)
    .execute();
}

/** States and graduations of the agents that have open flags against `author`, each once. */
export async function listOpenFlaggers(
  db: BarDb,
  author: string,
): Promise<{ agent_id: string; state: TrustState; graduated_at: number | null }[]> {
  return db
    .selectFrom('bar_flag')
    .innerJoin('bar_agent', 'bar_agent.agent_id', 'bar_flag.flagger')
    .select(['bar_agent.agent_id', 'bar_agent.state', 'bar_agent.graduated_at'])
    .distinct()
    .where('bar_flag.author', '=', author)
    .where('bar_flag.closed_at', 'is', null)
    .execute();
}

/**
 * Has the agents settled anew whom `giver` vouched for or flagged, as far as that moves them; answers
 * their ids.
 */
export async function markReceivers(db: BarDb, giver: string): Promise<string[]> {
  const vouched = await db
    .updateTable('bar_agent')
    .set({ settle_at: 0 })
    .where('state', '=', 'probation')
    .where('agent_id', 'in', (from) =>
      from.selectFrom('bar_vouch').select('receiver').where('giver', '=', giver),
    )
    .returning('agent_id')
    .execute();
  const flagged = await db
    .updateTable('bar_agent')
    .set({ settle_at: 0 })
    .where('state', 'in', ['probation', 'member'])
    .where('agent_id', 'in', (from) =>
      from
        .selectFrom('bar_flag')
        .select('author')
        .where('flagger', '=', giver)
        .where('closed_at', 'is', null),
    )
    .returning('agent_id')
    .execute();
  return [...vouched, ...flagged].map(({ agent_id }) => agent_id);
}

/** Agents that time may have changed by `now`, the longest due first. */
export async function listDue(db: BarDb, now: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('bar_agent')
    .select('agent_id')
    .where('settle_at', '<=', now)
    .orderBy('settle_at')
    .limit(limit)
    .execute();
  return rows.map(({ agent_id }) => agent_id);
}

export async function insertVouch(
  db: BarDb,
  vouch: Insertable<BarTables['bar_vouch']>,
): Promise<void> {
  await db.insertInto('bar_vouch').values(vouch).execute();
}

export async function hasVouched(db: BarDb, giver: string, receiver: string): Promise<boolean> {
  const row = await db
    .selectFrom('bar_vouch')
    .select('number')
    .where('giver', '=', giver)
    .where('receiver', '=', receiver)
    .executeTakeFirst();
  return row !== undefined;
}

/** When `giver` vouched after `since`, the earliest first. */
export async function listVouchInstants(
  db: BarDb,
  giver: string,
  since: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('bar_vouch')
    .select('created_at')
    .where('giver', '=', giver)
    .where('created_at', '>', since)
    .orderBy('created_at')
    .execute();
  return rows.map(({ created_at }) => created_at);
}

/** A vouch with the agent at its other end. */
export type ListedVouch = {
  agent_id: string;
  name: string;
  state: TrustState;
  graduated_at: number | null;
  note: string | null;
  created_at: number;
};

const other_end = [
  'bar_agent.agent_id',
  'bar_agent.name',
  'bar_agent.state',
  'bar_agent.graduated_at',
  'bar_vouch.note',
  'bar_vouch.created_at',
] as const;

/** The latest vouches for `receiver`, the newest first. */
export async function listVouchesReceived(
  db: BarDb,
  receiver: string,
  limit: number,
): Promise<ListedVouch[]> {
  return db
    .selectFrom('bar_vouch')
    .innerJoin('bar_agent', 'bar_agent.agent_id', 'bar_vouch.giver')
    .select(other_end)
    .where('bar_vouch.receiver', '=', receiver)
    .orderBy('bar_vouch.number', 'desc')
    .limit(limit)
    .execute();
}

/** The latest vouches of `giver`, the newest first. */
export async function listVouchesGiven(
  db: BarDb,
  giver: string,
  limit: number,
): Promise<ListedVouch[]> {
  return db
    .selectFrom('bar_vouch')
    .innerJoin('bar_agent', 'bar_agent.agent_id', 'bar_vouch.receiver')
    .select(other_end)
    .where('bar_vouch.giver', '=', giver)
    .orderBy('bar_vouch.number', 'desc')
    .limit(limit)
    .execute();
}
