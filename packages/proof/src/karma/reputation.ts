import { roundHalfEven } from './round-half-even.ts';
import { confidenceOf, recommendationOf } from './verdict.ts';
import { weightOf } from './weight.ts';

export const outcomes = ['succeeded', 'failed', 'partial'] as const;
export type Outcome = (typeof outcomes)[number];

/** What of a review counts. A review that was withdrawn is left out by the caller. */
export type CountedReview = {
  readonly reviewer_id: string;
  readonly subject_id: string;
  readonly rating: number;
  readonly outcome: Outcome;
};

/** The numbers of the document's answer. */
export type Reputation = {
  readonly score: number;
  readonly raw_average: number;
  readonly confidence: number;
  readonly review_count: number;
  readonly outcome_breakdown: Readonly<Record<Outcome, number>>;
  readonly recommendation: string;
};

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/**
 * The reputation of `agent_id` in a registry of `reviews`, computed from them alone, as the document
 * defines it: every reviewer weighs what it has received by now.
 *
 * @see karma §reputation (D-KARMA-07, D-KARMA-08, D-KARMA-10)
 */
export function reputationOf(reviews: readonly CountedReview[], agent_id: string): Reputation {
  const received = new Map<string, number>();
  for (const { subject_id } of reviews) {
    received.set(subject_id, (received.get(subject_id) ?? 0) + 1);
  }
  const own = reviews.filter(({ subject_id }) => subject_id === agent_id);
  const weighed = own.map(({ reviewer_id, rating }) => {
    const weight = weightOf(received.get(reviewer_id) ?? 0);
    return { weight, weighted: rating * weight };
  });
  const review_count = own.length;
  const mean = sum(weighed.map(({ weighted }) => weighted)) / sum(weighed.map((of) => of.weight));
  const score = review_count === 0 ? 0 : roundHalfEven(mean, 3);
  const ratings = sum(own.map(({ rating }) => rating));
  const count = (outcome: Outcome) => own.filter((review) => review.outcome === outcome).length;
  return {
    score,
    raw_average: review_count === 0 ? 0 : roundHalfEven(ratings / review_count, 3),
    confidence: confidenceOf(review_count),
    review_count,
    outcome_breakdown: {
      succeeded: count('succeeded'),
      failed: count('failed'),
      partial: count('partial'),
    },
    recommendation: recommendationOf({ score, review_count }),
  };
}
