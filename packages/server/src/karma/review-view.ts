import type { Answer, karma_routes } from '@stoa/wire';
import { isoInstant } from '../clock.ts';
import type { Review } from './review-store.ts';

/** A review as it is shown to programs. */
export type ShownReview = Answer<typeof karma_routes.readReview>['body'];

/** An instant in whole seconds, as this room prints them. */
const shownInstant = (instant: number): string => `${isoInstant(instant).slice(0, 19)}Z`;

/** A review as it is shown: the document's members, and of ours what is so. */
export function reviewView(review: Review): ShownReview {
  const { public_key, signature, withdrawn_at, reply, reply_signature, replied_at } = review;
  return {
    id: review.review_id,
    reviewer_id: review.reviewer_id,
    subject_id: review.subject_id,
    rating: review.rating,
    outcome: review.outcome,
    task_summary: review.task_summary,
    evidence_url: review.evidence_url,
    evidence: review.evidence,
    created_at: shownInstant(review.created_at),
    ...(public_key !== null && signature !== null ? { signed: true, public_key, signature } : {}),
    ...(withdrawn_at === null ? {} : { withdrawn_at: shownInstant(withdrawn_at) }),
    ...(reply !== null && reply_signature !== null && replied_at !== null
      ? { reply: { text: reply, signature: reply_signature, created_at: shownInstant(replied_at) } }
      : {}),
  };
}

const decimal = /^[1-9][0-9]*$/;

/** The id in a path as a number; undefined for what no review can have as its id. */
export function reviewNumber(text: string): number | undefined {
  const number = decimal.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(number) ? number : undefined;
}
