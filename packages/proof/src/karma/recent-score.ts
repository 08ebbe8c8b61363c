import { roundHalfEven } from './round-half-even.ts';

const half_life_days = 90;

/** The reviews of one UTC day, days counted from 1970-01-01. */
export type DayOfReviews = {
  readonly day: number;
  readonly reviews: number;
  readonly rating_sum: number;
};

/**
 * The mean rating in which a review counts half as much as one that is 90 days younger, by whole UTC
 * days, to 3 decimals; 0 without reviews. It does not change while nothing is said: all grow old alike.
 */
export function recentScore(days: readonly DayOfReviews[]): number {
  const newest = Math.max(...days.map(({ day }) => day));
  let weight = 0;
  let weighted = 0;
  for (const { day, reviews, rating_sum } of days) {
    const share = 2 ** ((day - newest) / half_life_days);
    weight += share * reviews;
    weighted += share * rating_sum;
  }
  return weight === 0 ? 0 : roundHalfEven(weighted / weight, 3);
}
