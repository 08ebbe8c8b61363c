import {
  addWeighted,
  type Outcome,
  recentScore,
  scoreOfSums,
  weightUnits,
} from '@stoa/proof/karma';
import type { Db } from '../storage/storage.ts';
import { type Agent, getAgent, saveAgent } from './agent-store.ts';
import { listDays, saveDay } from './day-store.ts';
import { findPair, mostReviews, savePair } from './pair-store.ts';
import { findSpread } from './spread-store.ts';
import { countedFor, spreadWeight, thousandths } from './spread-weight.ts';

const day_ms = 86_400_000;
const good_rating_min = 4;
const bad_rating_max = 2;

/** A review, as far as it counts. */
export type Counted = {
  readonly reviewer_no: number;
  readonly subject_no: number;
  readonly rating: number;
  readonly outcome: Outcome;
  readonly has_receipt: boolean;
  readonly created_at: number;
};

/** Whether a rating says that the reviewer was satisfied: 1, 0 or -1. */
const satisfactionOf = (rating: number) =>
  Number(rating >= good_rating_min) - Number(rating <= bad_rating_max);

/**
 * Counts a review (`by` 1), or takes it out of the count again (`by` -1), in every number that it is part
 * of: those of its subject, and the scores of all whom the subject reviewed, for its weight is another
 * now. Whole numbers alone are added, so that nothing drifts. Answers whether some of that was left to
 * the job that spreads weights.
 */
export async function countReview(
  db: Db,
  review: Counted,
  { by, spread_inline_max }: { by: 1 | -1; spread_inline_max: number },
): Promise<boolean> {
  const { reviewer_no, subject_no, rating, outcome } = review;
  const subject = await getAgent(db, subject_no);
  const reviewer = reviewer_no === subject_no ? subject : await getAgent(db, reviewer_no);
  const received_before = subject.received;

  const spread = await findSpread(db, reviewer_no);
  const counted = countedFor(spread, subject_no, reviewer.received);
  addWeighted(subject, weightUnits(counted), { reviews: by, rating_sum: by * rating });
  subject.score = thousandths(scoreOfSums(subject));
  subject.received += by;
  subject.rating_sum += by * rating;
  subject[outcome] += by;
  if (review.has_receipt) subject.receipts += by;

  await countPair(db, review, { reviewer, subject, by });
  await countDay(db, review, subject, by);
  await saveAgent(db, subject);
  if (reviewer !== subject) await saveAgent(db, reviewer);

  const own_spread = reviewer === subject ? spread : await findSpread(db, subject_no);
  return spreadWeight(
    db,
    {
      number: subject_no,
      subjects: subject.subjects,
      from: received_before,
      to: subject.received,
      ...(own_spread ? { spread: own_spread } : {}),
    },
    spread_inline_max,
  );
}

/** Counts a review among those of the same two, and what follows: who knows how many, and who each other. */
async function countPair(
  db: Db,
  { reviewer_no, subject_no, rating }: Counted,
  { reviewer, subject, by }: { reviewer: Agent; subject: Agent; by: 1 | -1 },
): Promise<void> {
  const known = await findPair(db, reviewer_no, subject_no);
  const before = known ?? { reviewer_no, subject_no, reviews: 0, rating_sum: 0, satisfaction: 0 };
  const pair = {
    ...before,
    reviews: before.reviews + by,
    rating_sum: before.rating_sum + by * rating,
    satisfaction: before.satisfaction + by * satisfactionOf(rating),
  };
  await savePair(db, pair);

  const came = Number(pair.reviews > 0) - Number(before.reviews > 0);
  subject.reviewers += came;
  reviewer.subjects += came;
  if (by === 1) subject.top_reviews = Math.max(subject.top_reviews, pair.reviews);
  else if (before.reviews === subject.top_reviews)
    subject.top_reviews = await mostReviews(db, subject_no);

  if (reviewer === subject) {
    subject.reciprocal += by;
    return;
  }
  const back = await findPair(db, subject_no, reviewer_no);
  if (!back) return;
  subject.reciprocal += by;
  // Its first review makes the other's reviews of it reciprocal, for good: taking it back launders nothing.
  if (!known) reviewer.reciprocal += back.reviews;
}

/** Counts a review among those of its day, and makes the recent score of all days. */
async function countDay(
  db: Db,
  { subject_no, rating, created_at }: Counted,
  subject: Agent,
  by: 1 | -1,
): Promise<void> {
  const day = Math.floor(created_at / day_ms);
  const others = await listDays(db, subject_no);
  const before = others.find((one) => one.day === day);
  const counted = {
    subject_no,
    day,
    reviews: (before?.reviews ?? 0) + by,
    rating_sum: (before?.rating_sum ?? 0) + by * rating,
    // What the score was is not rewritten by what is withdrawn later.
    score: by === 1 || !before ? subject.score : before.score,
  };
  await saveDay(db, counted);
  const days = [...others.filter((one) => one !== before), counted].filter(
    ({ reviews }) => reviews > 0,
  );
  subject.recent_score = thousandths(recentScore(days));
}
