import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { KarmaTables } from './tables.ts';

type Db = Kysely<KarmaTables>;

/** An agent as one statement sees it, with the run of seeded trust that counts. */
export type StandingRow = Selectable<KarmaTables['karma_agent']> & {
  trust_seeds: string | null;
  trust_agents_through: number | null;
  trust: number | null;
  /** How many weights were on their way at that moment. */
  spreads: number;
};

/**
 * The same when weights are on their way: it comes once for each of them; if the reviewer whose weight it
 * is reviewed the agent, the pair is not null.
 */
export type SpreadingRow = StandingRow & {
  spread_counted: number;
  spread_target: number;
  spread_cursor: number;
  pair_reviews: number | null;
  pair_rating_sum: number | null;
  reviewer_received: number;
};

const columns = sql`agent.*,
  run.seeds as trust_seeds, run.agents_through as trust_agents_through, trusted.trust as trust,
  (select count(*) from karma_spread) as spreads`;
const tables = sql`karma_agent as agent
  left join karma_trust_run as run on run.id = 1
  left join karma_trust as trusted on trusted.run = run.run and trusted.agent_no = agent.number`;
const in_rank = sql`order by agent.score desc, agent.received desc, agent.agent_id`;

/** One statement, so that a spread that goes on meanwhile is seen as it was at one moment. */
async function selectSpreading(db: Db, which: RawBuilder<unknown>): Promise<SpreadingRow[]> {
  const { rows } = await sql<SpreadingRow>`
    select ${columns},
      spread.counted as spread_counted, spread.target as spread_target, spread.cursor as spread_cursor,
      pair.reviews as pair_reviews, pair.rating_sum as pair_rating_sum,
      reviewer.received as reviewer_received
    from ${tables}
    left join karma_spread as spread on spread.reviewer_no > 0
    left join karma_pair as pair
      on pair.reviewer_no = spread.reviewer_no and pair.subject_no = agent.number and pair.reviews > 0
    left join karma_agent as reviewer on reviewer.number = spread.reviewer_no
    where ${which}`.execute(db);
  return rows;
}

const withIds = (agent_ids: readonly string[]) => sql`agent.agent_id in (${sql.join(agent_ids)})`;

/** The rows of those of these agents that are known; exact only if nothing spreads. */
export async function listStandings(db: Db, agent_ids: readonly string[]): Promise<StandingRow[]> {
  if (agent_ids.length === 0) return [];
  const { rows } = await sql<StandingRow>`
    select ${columns} from ${tables} where ${withIds(agent_ids)}`.execute(db);
  return rows;
}

/** The same with what spreads. */
export async function listSpreadingStandings(
  db: Db,
  agent_ids: readonly string[],
): Promise<SpreadingRow[]> {
  return selectSpreading(db, withIds(agent_ids));
}

/** The first `limit` in the order of the saved scores, which is exact only if nothing spreads. */
export async function listRanked(db: Db, limit: number): Promise<StandingRow[]> {
  const { rows } = await sql<StandingRow>`
    select ${columns} from ${tables} where agent.received > 0 ${in_rank} limit ${limit}`.execute(
    db,
  );
  return rows;
}

/**
 * The first `window` in the order of the saved scores, and everybody whose score a spread is about to
 * change. Spreads are few: SQLite keeps to the order of a `cross join`, and so begins with them.
 */
export async function listContenders(db: Db, window: number): Promise<SpreadingRow[]> {
  return selectSpreading(
    db,
    sql`agent.number in (
      select number from (
        select agent.number as number from karma_agent as agent
        where agent.received > 0 ${in_rank} limit ${window}
      ) as first
      union
      select reviewed.subject_no from karma_spread as of cross join karma_pair as reviewed
      where reviewed.reviewer_no = of.reviewer_no and reviewed.reviews > 0
    )`,
  );
}
