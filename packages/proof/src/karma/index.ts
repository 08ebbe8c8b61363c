export { type EigenTrustOptions, eigenTrust, type LocalTrust } from './eigen-trust.ts';
export { type DayOfReviews, recentScore } from './recent-score.ts';
export {
  type CountedReview,
  type Outcome,
  outcomes,
  type Reputation,
  reputationOf,
} from './reputation.ts';
export { printRounded, roundHalfEven } from './round-half-even.ts';
export { replyText, reviewText, type SignedReview, withdrawalText } from './signed-text.ts';
export {
  confidenceOf,
  recommendationOf,
  shownPercent,
  shownScore,
  type Verdict,
  verdictOf,
} from './verdict.ts';
export {
  addWeighted,
  scoreOfSums,
  type WeightedSums,
  type WeightUnits,
  weightBetween,
  weightOf,
  weightUnits,
} from './weight.ts';
