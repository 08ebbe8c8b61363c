import type { Outcome } from '@stoa/proof/karma';
import type { Db } from '../storage/storage.ts';
import { type Agent, claimAgent, saveAgent } from './agent-store.ts';
import { countReview } from './count-review.ts';
import { insertReview, lastReview } from './review-store.ts';

/** A review as it is to be stored. */
export type NewReview = {
  readonly reviewer_id: string;
  readonly subject_id: string;
  readonly rating: number;
  readonly outcome: Outcome;
  readonly task_summary: string;
  readonly evidence: string | null;
  readonly evidence_url: string | null;
  readonly reviewer_display_name: string | null;
  readonly subject_display_name: string | null;
  readonly signed: { readonly public_key: string; readonly signature: string } | undefined;
};

/** Gives an agent the last name that was given it, and its first key. */
async function introduce(
  db: Db,
  agent: Agent,
  { name, public_key }: { name: string | null; public_key?: string | undefined },
): Promise<void> {
  const display_name = name ?? agent.display_name;
  const key = agent.public_key ?? public_key ?? null;
  if (display_name === agent.display_name && key === agent.public_key) return;
  await saveAgent(db, { ...agent, display_name, public_key: key });
}

/**
 * Stores a review under the next id, makes the agents that appear in it, and counts it. Answers its id,
 * and whether a weight is left to be spread.
 */
export async function storeReview(
  db: Db,
  review: NewReview,
  { now, spread_inline_max }: { now: number; spread_inline_max: number },
): Promise<{ review_id: number; is_spreading: boolean }> {
  const { rating, outcome, task_summary, evidence, evidence_url, signed } = review;
  const reviewer = await claimAgent(db, review.reviewer_id);
  await introduce(db, reviewer, {
    name: review.reviewer_display_name,
    public_key: signed?.public_key,
  });
  // After the reviewer is saved: it may be its own subject.
  const subject = await claimAgent(db, review.subject_id);
  await introduce(db, subject, { name: review.subject_display_name });

  const review_id = (await lastReview(db)) + 1;
  await insertReview(db, {
    review_id,
    reviewer_no: reviewer.number,
    subject_no: subject.number,
    rating,
    outcome,
    task_summary,
    evidence,
    evidence_url,
    created_at: now,
    public_key: signed?.public_key ?? null,
    signature: signed?.signature ?? null,
    withdrawn_at: null,
    reply: null,
    reply_signature: null,
    replied_at: null,
  });
  const counted = {
    reviewer_no: reviewer.number,
    subject_no: subject.number,
    rating,
    outcome,
    has_receipt: isReceipt(evidence),
    created_at: now,
  };
  const is_spreading = await countReview(db, counted, { by: 1, spread_inline_max });
  return { review_id, is_spreading };
}

const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** Whether evidence is any: there is something in it to be seen. */
export const isReceipt = (evidence: string | null): boolean =>
  evidence !== null && visible.test(evidence);
