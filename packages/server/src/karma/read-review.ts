import type { Answer, karma_routes } from '@stoa/wire';
import type { Call } from '../http/call.ts';
import { shownId } from './agent-id.ts';
import type { Karma } from './karma.ts';
import { findReview, type Review } from './review-store.ts';
import { reviewNumber, reviewView } from './review-view.ts';

type Route = typeof karma_routes.readReview;
/** A call about a review that may be unknown. */
type About = {
  readonly params: { readonly review_id: string };
  readonly refuse: (code: 'unknown-review', options: { detail: string }) => Error;
};

/** The review that a call is about. */
export async function reviewOf(karma: Karma, { params, refuse }: About): Promise<Review> {
  const number = reviewNumber(params.review_id);
  const review = number === undefined ? undefined : await findReview(karma.read, number);
  if (review) return review;
  throw refuse('unknown-review', { detail: `unknown review id: ${shownId(params.review_id)}` });
}

/** One review with its receipt (karma §review). */
export async function readReview(karma: Karma, call: Call<Route>): Promise<Answer<Route>> {
  return { status: 200, body: reviewView(await reviewOf(karma, call)) };
}
