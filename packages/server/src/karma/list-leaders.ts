import type { Answer, karma_routes } from '@stoa/wire';
import type { Call } from '../http/call.ts';
import type { Karma } from './karma.ts';
import { leaders_default } from './limits.ts';
import { readLeaders } from './standing.ts';

type Route = typeof karma_routes.listLeaders;

/** The most trusted agents (karma §leaderboard). */
export async function listLeaders(karma: Karma, call: Call<Route>): Promise<Answer<Route>> {
  const leaders = await readLeaders(karma.read, call.query.limit ?? leaders_default);
  const agents = leaders.map(({ agent_id, display_name, score, confidence, review_count }) => ({
    agent_id,
    display_name,
    score,
    confidence,
    review_count,
  }));
  return { status: 200, body: { count: agents.length, agents } };
}
