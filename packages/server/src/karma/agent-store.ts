import { type Kysely, type Selectable, sql } from 'kysely';
import type { KarmaTables, Weighed } from './tables.ts';

type Db = Kysely<KarmaTables>;
export type Agent = Selectable<KarmaTables['karma_agent']>;

export async function findAgent(db: Db, agent_id: string): Promise<Agent | undefined> {
  return db
    .selectFrom('karma_agent')
    .selectAll()
    .where('agent_id', '=', agent_id)
    .executeTakeFirst();
}

export async function getAgent(db: Db, number: number): Promise<Agent> {
  return db
    .selectFrom('karma_agent')
    .selectAll()
    .where('number', '=', number)
    .executeTakeFirstOrThrow();
}

/** The agent under this id, made now if there is none. */
export async function claimAgent(db: Db, agent_id: string): Promise<Agent> {
  const known = await findAgent(db, agent_id);
  if (known) return known;
  const last = await lastAgent(db);
  return (
    db
      .insertInto('karma_agent')
      // @NOTE The columns that are not given begin at 0 or null, by the table.
      .values({ number: last + 1, agent_id } as Agent)
      .returningAll()
      .executeTakeFirstOrThrow()
  );
}

/** The highest number of an agent; 0 if there is none. */
export async function lastAgent(db: Db): Promise<number> {
  const row = await db
    .selectFrom('karma_agent')
    .select((of) => of.fn.max<number | null>('number').as('last'))
    .executeTakeFirst();
  return row?.last ?? 0;
}

export async function saveAgent(db: Db, { number, ...columns }: Agent): Promise<void> {
  await db.updateTable('karma_agent').set(columns).where('number', '=', number).execute();
}

export async function countAgents(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('karma_agent')
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Statements have few lengths, so that few need be prepared; rows are repeated to fill one up. */
const lengths = [1, 4, 16, 64, 256];

/** Saves the weighted sums and scores of many agents at once. */
export async function saveSums(db: Db, agents: readonly Weighed[]): Promise<void> {
  const length_max = lengths.at(-1) ?? 1;
  for (let start = 0; start < agents.length; start += length_max) {
    const some = agents.slice(start, start + length_max);
    const length = lengths.find((one) => one >= some.length) ?? some.length;
    const filled = Array.from({ length }, (_, index) => some[Math.min(index, some.length - 1)]);
    const rows = filled.flatMap((agent) => (agent ? [valuesRow(agent)] : []));
    await sql`
      with changed (number, weight_high, weight_low, weighted_high, weighted_low, score)
        as (values ${sql.join(rows)})
      update karma_agent set
        weight_high = changed.weight_high, weight_low = changed.weight_low,
        weighted_high = changed.weighted_high, weighted_low = changed.weighted_low,
        score = changed.score
      from changed where karma_agent.number = changed.number`.execute(db);
  }
}

function valuesRow(agent: Weighed) {
  const columns = [
    agent.number,
    agent.weight_high,
    agent.weight_low,
    agent.weighted_high,
    agent.weighted_low,
    agent.score,
  ];
  return sql`(${sql.join(columns.map((column) => sql`cast(${column} as bigint)`))})`;
}
