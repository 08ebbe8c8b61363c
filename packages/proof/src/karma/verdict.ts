import { printRounded, roundHalfEven } from './round-half-even.ts';

/** How sure a score is, by the number of reviews behind it: 0 to 1, 4 decimals (D-KARMA-08). */
export function confidenceOf(review_count: number): number {
  return roundHalfEven(1 - 1 / Math.sqrt(1 + review_count), 4);
}

/** A score as texts show it, with 2 decimals. */
export const shownScore = (score: number): string => printRounded(score, 2);

/** A confidence as texts show it, in whole percent. */
export const shownPercent = (confidence: number): string => printRounded(confidence * 100, 0);

/** The five answers that a score may give, by their prefixes on the wire. */
export type Verdict = 'unknown' | 'low confidence' | 'trusted' | 'mixed' | 'avoid';

type Rated = { readonly score: number; readonly review_count: number };

const confidence_min = 0.5;
const trusted_score_min = 4;
const mixed_score_min = 3;

/** What a score, as it is printed, says (D-KARMA-10). */
export function verdictOf({ score, review_count }: Rated): Verdict {
  if (review_count === 0) return 'unknown';
  if (confidenceOf(review_count) < confidence_min) return 'low confidence';
  if (score >= trusted_score_min) return 'trusted';
  return score >= mixed_score_min ? 'mixed' : 'avoid';
}

/** The verdict as a sentence that begins with it and a colon. */
export function recommendationOf(rated: Rated): string {
  const verdict = verdictOf(rated);
  const advice = {
    unknown: 'no reviews yet - proceed with caution or request references',
    'low confidence': `only ${rated.review_count} review(s) - treat the score as provisional`,
    trusted: 'safe to delegate work',
    mixed: 'acceptable for low-stakes tasks, monitor outcomes',
    avoid: 'poor track record - do not delegate high-stakes work',
  }[verdict];
  return `${verdict}: ${advice}`;
}
