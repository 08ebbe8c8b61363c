import { Type } from 'typebox';
import type { Call, PageRoute } from '../../http/call.ts';
import type { Html } from '../../http/html.ts';
import type { Karma } from '../karma.ts';
import { renderAgent } from './render-agent.ts';
import { renderLeaders } from './render-leaders.ts';
import { renderReview } from './render-review.ts';

export const KarmaQuery = Type.Object({
  agent: Type.Optional(Type.String({ description: 'the id of an agent to show' })),
  review: Type.Optional(Type.String({ description: 'the id of a review to show' })),
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'which page of the agent’s reviews, from 1',
    }),
  ),
});

/** The page of the room for people: the leaderboard, one agent, or one review. */
export function renderKarma(karma: Karma, call: Call<PageRoute<typeof KarmaQuery>>): Promise<Html> {
  const { agent = '', review = '', page = 1 } = call.query;
  if (review !== '') return renderReview(karma, review);
  return agent === '' ? renderLeaders(karma) : renderAgent(karma, agent, page);
}
