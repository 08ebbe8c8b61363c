import type { Answer, karma_routes } from '@stoa/wire';
import type { Call } from '../http/call.ts';
import { isStorable } from './agent-id.ts';
import { findAgent } from './agent-store.ts';
import type { Karma } from './karma.ts';
import { reviews_default } from './limits.ts';
import { listReceived } from './review-store.ts';
import { reviewView } from './review-view.ts';

type Route = typeof karma_routes.listReviews;

/** The reviews that an agent has received (karma §reviews-list). */
export async function listReviews(karma: Karma, call: Call<Route>): Promise<Answer<Route>> {
  const { agent_id } = call.params;
  const { limit = reviews_default, offset = 0 } = call.query;
  const agent = isStorable(agent_id) ? await findAgent(karma.read, agent_id) : undefined;
  const reviews = agent ? await listReceived(karma.read, agent.number, { limit, offset }) : [];
  return { status: 200, body: reviews.map(reviewView) };
}
