import { canonicalJson } from '../canonical-json.ts';
import type { Outcome } from './reputation.ts';

/** The version of the strings that are signed. */
const v = 1;

/** What a reviewer signs of a review: all that is shown of it and that it chose itself. */
export type SignedReview = {
  readonly reviewer_id: string;
  readonly subject_id: string;
  readonly rating: number;
  readonly outcome: Outcome;
  /** Empty if none was given. */
  readonly task_summary: string;
  readonly evidence: string | null;
  readonly evidence_url: string | null;
};

/** The text, as UTF-8, that a reviewer signs. @throws TypeError for a lone surrogate. */
export function reviewText(review: SignedReview): string {
  const { reviewer_id, subject_id, rating, outcome, task_summary, evidence, evidence_url } = review;
  return canonicalJson({
    action: 'review',
    reviewer_id,
    subject_id,
    rating,
    outcome,
    task_summary,
    evidence,
    evidence_url,
    v,
  });
}

/** The text that the subject of a review signs to answer it. */
export function replyText(reply: { review_id: number; subject_id: string; text: string }): string {
  const { review_id, subject_id, text } = reply;
  return canonicalJson({ action: 'reply', review_id, subject_id, text, v });
}

/**
 * The text that a reviewer signs to withdraw a review. It names the review by its signature, which no
 * other review has, here or in another registry.
 */
export function withdrawalText(review_signature: string): string {
  return canonicalJson({ action: 'withdraw', review_signature, v });
}
