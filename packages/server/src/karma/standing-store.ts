import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { KarmaTables } from './tables.ts';

type Db = Kysely<KarmaTables>;

/**
 * An agent as one statement sees it, with the run of seeded trust that counts. It comes once for each
 * reviewer whose weight is on its way; if that reviewer reviewed it, the pair is not null.
 */
export type StandingRow = Selectable<KarmaTables['karma_agent']> & {
  trust_seeds: string | null;
  trust_agents_through: number | null;
  trust: number | null;
  spread_counted: number | null;
  spread_target: number | null;
  spread_cursor: number | null;
  pair_reviews: number | null;
  pair_rating_sum: number | null;
  reviewer_received: number | null;
};

/** One statement, so that a spread that goes on meanwhile is seen as it was at one moment. */
async function selectStandings(db: Db, which: RawBuilder<unknown>): Promise<StandingRow[]> {
  const { rows } = await sql<StandingRow>`
    select agent.*,
      run.seeds as trust_seeds, run.agents_through as trust_agents_through, trusted.trust as trust,
      spread.counted as spread_counted, spread.target as spread_target, spread.cursor as spread_cursor,
      pair.reviews as pair_reviews, pair.rating_sum as pair_rating_sum,
      reviewer.received as reviewer_received
    from karma_agent as agent
    left join karma_trust_run as run on run.id = 1
    left join karma_trust as trusted on trusted.run = run.run and trusted.agent_no = agent.number
    left join karma_spread as spread on spread.reviewer_no > 0
    left join karma_pair as pair
      on pair.reviewer_no = spread.reviewer_no and pair.subject_no = agent.number
    left join karma_agent as reviewer on reviewer.number = spread.reviewer_no
    where ${which}`.execute(db);
  return rows;
}

/** The rows of those of these agents that are known. */
export async function listStandings(db: Db, agent_ids: readonly string[]): Promise<StandingRow[]> {
  if (agent_ids.length === 0) return [];
  return selectStandings(db, sql`agent.agent_id in (${sql.join(agent_ids)})`);
}

/**
 * The rows of everybody who may be among the first `limit`: the first in the order of the saved scores,
 * and all whose score a spread is about to change. Spreads are few: SQLite keeps to the order of a
 * `cross join`, and so begins with them.
 */
export async function listContenders(db: Db, limit: number): Promise<StandingRow[]> {
  return selectStandings(
    db,
    sql`agent.number in (
      select number from (
        select ranked.number as number from karma_agent as ranked
        where ranked.received > 0 and not exists (
          select 1 from karma_spread as of cross join karma_pair as reviewed
          where reviewed.reviewer_no = of.reviewer_no and reviewed.subject_no = ranked.number)
        order by ranked.score desc, ranked.received desc, ranked.agent_id
        limit ${limit}
      ) as first
      union
      select reviewed.subject_no from karma_spread as of cross join karma_pair as reviewed
      where reviewed.reviewer_no = of.reviewer_no
    )`,
  );
}
