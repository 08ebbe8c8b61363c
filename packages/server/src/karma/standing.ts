import {
  addWeighted,
  confidenceOf,
  recommendationOf,
  roundHalfEven,
  scoreOfSums,
  weightBetween,
} from '@stoa/proof/karma';
import type { Db } from '../storage/storage.ts';
import { isStorable } from './agent-id.ts';
import type { Karma } from './karma.ts';
import { countedFor, thousandths } from './spread-weight.ts';
import {
  listContenders,
  listRanked,
  listSpreadingStandings,
  listStandings,
  type SpreadingRow,
  type StandingRow,
} from './standing-store.ts';

const trust_unit = 1e-9;
const trust_decimals = 9;
const share_decimals = 4;

/** An agent in numbers as they are now, whatever is still on its way. */
export type Standing = {
  readonly agent_id: string;
  readonly display_name: string | null;
  readonly is_known: boolean;
  readonly score: number;
  readonly confidence: number;
  readonly review_count: number;
  readonly recommendation: string;
  /** The row; undefined of an agent that nobody knows. */
  readonly row: StandingRow | undefined;
};

function unknownStanding(agent_id: string): Standing {
  return {
    agent_id,
    display_name: null,
    is_known: false,
    score: 0,
    confidence: 0,
    review_count: 0,
    recommendation: recommendationOf({ score: 0, review_count: 0 }),
    row: undefined,
  };
}

function toStanding(row: StandingRow): Standing {
  const score = row.score / 1_000;
  const review_count = row.received;
  return {
    agent_id: row.agent_id,
    display_name: row.display_name,
    is_known: true,
    score,
    confidence: confidenceOf(review_count),
    review_count,
    recommendation: recommendationOf({ score, review_count }),
    row,
  };
}

/** Whether a weight that is on its way is to change the score of the row's agent. */
const isReached = ({ pair_reviews }: SpreadingRow) => pair_reviews !== null;

/** The row of an agent as it will be when what is on its way has arrived. */
function settled(rows: readonly [SpreadingRow, ...SpreadingRow[]]): StandingRow {
  const row = { ...rows[0] };
  for (const of of rows) {
    const { pair_reviews, pair_rating_sum, reviewer_received: received } = of;
    if (pair_reviews === null || pair_rating_sum === null) continue;
    const spread = {
      reviewer_no: 0,
      counted: of.spread_counted,
      target: of.spread_target,
      cursor: of.spread_cursor,
    };
    const difference = weightBetween(countedFor(spread, row.number, received), received);
    addWeighted(row, difference, { reviews: pair_reviews, rating_sum: pair_rating_sum });
  }
  if (rows.some(isReached)) row.score = thousandths(scoreOfSums(row));
  return row;
}

function byNumber(rows: readonly SpreadingRow[]): [SpreadingRow, ...SpreadingRow[]][] {
  const by_number = new Map<number, [SpreadingRow, ...SpreadingRow[]]>();
  for (const row of rows) {
    const known = by_number.get(row.number);
    if (known) known.push(row);
    else by_number.set(row.number, [row]);
  }
  return [...by_number.values()];
}

const isSpreading = (rows: readonly StandingRow[]) => (rows[0]?.spreads ?? 0) > 0;

/** Where these agents stand now, in the order in which they are asked for. */
export async function readStandings(db: Db, agent_ids: readonly string[]): Promise<Standing[]> {
  const ids = agent_ids.filter(isStorable);
  let rows = await listStandings(db, ids);
  if (isSpreading(rows)) rows = byNumber(await listSpreadingStandings(db, ids)).map(settled);
  const known = new Map(rows.map((row) => [row.agent_id, toStanding(row)]));
  return agent_ids.map((agent_id) => known.get(agent_id) ?? unknownStanding(agent_id));
}

export async function readStanding(db: Db, agent_id: string): Promise<Standing> {
  const [standing] = await readStandings(db, [agent_id]);
  return standing ?? unknownStanding(agent_id);
}

/** The first `limit` of all who have reviews, best first. */
export async function readLeaders(db: Db, limit: number): Promise<Standing[]> {
  const rows = await listRanked(db, limit);
  if (!isSpreading(rows)) return rows.map(toStanding);
  for (let window = 2 * limit; ; window *= 4) {
    const contenders = byNumber(await listContenders(db, window));
    // Whoever no spread reaches stands in the saved order: enough of them, or all there are.
    const settled_count = contenders.filter((of) => !of.some(isReached)).length;
    if (settled_count < limit && contenders.length >= window) continue;
    return contenders
      .map((of) => toStanding(settled(of)))
      .filter(({ review_count }) => review_count > 0)
      .sort(byRank)
      .slice(0, limit);
  }
}

/** Best first: score, confidence, number of reviews, then the id by code point (D-KARMA-23). */
export function byRank(a: Standing, b: Standing): number {
  return (
    b.score - a.score ||
    b.confidence - a.confidence ||
    b.review_count - a.review_count ||
    Buffer.compare(Buffer.from(a.agent_id), Buffer.from(b.agent_id))
  );
}

const share = (part: number, whole: number) =>
  whole === 0 ? 0 : roundHalfEven(part / whole, share_decimals);

/** Null without a computation for the seeds of now that knew the agent. */
function seededTrust({ settings }: Karma, row: StandingRow | undefined): number | null {
  const { trust_seeds, trust_agents_through: through } = row ?? {};
  const is_current = trust_seeds === seedsKey(settings.trusted_seeds);
  if (!row || !is_current || row.number > (through ?? 0)) return null;
  return roundHalfEven((row.trust ?? 0) * trust_unit, trust_decimals);
}

/** How a run of seeded trust says which seeds it began with. */
export const seedsKey = (seeds: readonly string[]): string => JSON.stringify([...seeds].sort());

/** The hints beside the formula. */
export function signalsOf(karma: Karma, { row }: Standing) {
  const received = row?.received ?? 0;
  return {
    distinct_reviewers: row?.reviewers ?? 0,
    reciprocal_share: share(row?.reciprocal ?? 0, received),
    top_reviewer_share: share(row?.top_reviews ?? 0, received),
    recent_score: (row?.recent_score ?? 0) / 1_000,
    with_receipts: row?.receipts ?? 0,
    seeded_trust: seededTrust(karma, row),
  };
}
