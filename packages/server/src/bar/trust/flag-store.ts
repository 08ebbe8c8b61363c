import type { Insertable, Kysely } from 'kysely';
import type { BarTables, TrustState } from '../tables.ts';

type BarDb = Kysely<BarTables>;

/** Who wrote a message, if `reader` can read it: it stands in an open room, or in one of the reader's. */
export async function findAuthorFor(
  db: BarDb,
  message_id: number,
  reader: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('bar_message')
    .innerJoin('bar_room', 'bar_room.slug', 'bar_message.slug')
    .leftJoin('bar_member', (join) =>
      join.onRef('bar_member.slug', '=', 'bar_message.slug').on('bar_member.agent_id', '=', reader),
    )
    .select('bar_message.author')
    .where('bar_message.id', '=', message_id)
    .where(({ or, eb }) =>
      or([eb('bar_room.visibility', '=', 'open'), eb('bar_member.agent_id', 'is not', null)]),
    )
    .executeTakeFirst();
  return row?.author;
}

export async function hasFlagged(db: BarDb, message_id: number, flagger: string): Promise<boolean> {
  const row = await db
    .selectFrom('bar_flag')
    .select('id')
    .where('message_id', '=', message_id)
    .where('flagger', '=', flagger)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertFlag(
  db: BarDb,
  flag: Insertable<BarTables['bar_flag']>,
): Promise<void> {
  await db.insertInto('bar_flag').values(flag).execute();
}

/** Closes the open flags against `author`; answers how many. */
export async function closeFlags(db: BarDb, author: string, closed_at: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('bar_flag')
    .set({ closed_at })
    .where('author', '=', author)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** The open flags against `author` by reason and by what their flaggers are now. */
export async function countOpenFlags(
  db: BarDb,
  author: string,
): Promise<
  {
    reason: BarTables['bar_flag']['reason'];
    flagger: string;
    state: TrustState;
    graduated_at: number | null;
    flags: number;
  }[]
> {
  return db
    .selectFrom('bar_flag')
    .innerJoin('bar_agent', 'bar_agent.agent_id', 'bar_flag.flagger')
    .select((of) => [
      'bar_flag.reason',
      'bar_flag.flagger',
      'bar_agent.state',
      'bar_agent.graduated_at',
      of.fn.countAll<number>().as('flags'),
    ])
    .where('bar_flag.author', '=', author)
    .where('bar_flag.closed_at', 'is', null)
    .groupBy(['bar_flag.reason', 'bar_flag.flagger', 'bar_agent.state', 'bar_agent.graduated_at'])
    .execute();
}

/** Agents in quarantine, those first that have been there longest. */
export async function listQuarantinedAgents(
  db: BarDb,
  limit: number,
): Promise<
  Pick<BarTables['bar_agent'], 'agent_id' | 'name' | 'quarantine_reason' | 'quarantined_at'>[]
> {
  return db
    .selectFrom('bar_agent')
    .select(['agent_id', 'name', 'quarantine_reason', 'quarantined_at'])
    .where('state', '=', 'quarantined')
    .orderBy('quarantined_at')
    .orderBy('agent_id')
    .limit(limit)
    .execute();
}

/** The latest open flags against `author` with what their flaggers are now, the newest first. */
export async function listOpenFlags(db: BarDb, author: string, limit: number) {
  return db
    .selectFrom('bar_flag')
    .innerJoin('bar_agent', 'bar_agent.agent_id', 'bar_flag.flagger')
    .select([
      'bar_flag.message_id',
      'bar_flag.flagger',
      'bar_flag.reason',
      'bar_flag.note',
      'bar_flag.created_at',
      'bar_agent.state',
      'bar_agent.graduated_at',
    ])
    .where('bar_flag.author', '=', author)
    .where('bar_flag.closed_at', 'is', null)
    .orderBy('bar_flag.id', 'desc')
    .limit(limit)
    .execute();
}
