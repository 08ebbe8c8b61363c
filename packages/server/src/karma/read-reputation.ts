import { roundHalfEven } from '@stoa/proof/karma';
import type { Answer, karma_routes } from '@stoa/wire';
import type { Call } from '../http/call.ts';
import { shownId } from './agent-id.ts';
import type { Karma } from './karma.ts';
import { readStanding, signalsOf } from './standing.ts';

type Route = typeof karma_routes.readReputation;

/** How trusted one agent is (karma §reputation). */
export async function readReputation(karma: Karma, call: Call<Route>): Promise<Answer<Route>> {
  const { agent_id } = call.params;
  const standing = await readStanding(karma.read, agent_id);
  const { row, display_name, score, confidence, review_count, recommendation } = standing;
  if (!row) throw call.refuse('unknown-agent', { detail: `unknown agent: ${shownId(agent_id)}` });
  const { succeeded, failed, partial, rating_sum } = row;
  return {
    status: 200,
    body: {
      agent_id,
      display_name,
      score,
      raw_average: review_count === 0 ? 0 : roundHalfEven(rating_sum / review_count, 3),
      confidence,
      review_count,
      outcome_breakdown: { succeeded, failed, partial },
      recommendation,
      signals: signalsOf(karma, standing),
    },
  };
}
