import { reviewText } from '@stoa/proof/karma';
import type { Answer, karma_routes } from '@stoa/wire';
import type { Call } from '../http/call.ts';
import type { FieldFault } from '../http/input.ts';
import type { Db } from '../storage/storage.ts';
import { findAgent } from './agent-store.ts';
import type { Karma } from './karma.ts';
import { spread_inline_max } from './limits.ts';
import { isSignatureUsed } from './review-store.ts';
import { enqueueSpread } from './spread-job.ts';
import { type NewReview, storeReview } from './store-review.ts';
import { verifySigned } from './verify-signature.ts';

type Route = typeof karma_routes.postReview;

/** What is wrong between fields that are right one by one. */
function faultsBetween(karma: Karma, body: Call<Route>['body']): FieldFault[] {
  const { reviewer_id, subject_id, public_key, signature } = body;
  const faults: FieldFault[] = [];
  const fault = (field: string, keyword: string, params = {}) =>
    faults.push({ part: 'body', field, keyword, params });
  if (reviewer_id === subject_id && karma.settings.self_reviews === 'refuse') {
    fault('subject_id', 'rule', { rule: 'self-review' });
  }
  if (public_key == null && signature != null) fault('public_key', 'missing');
  if (public_key != null && signature == null) fault('signature', 'missing');
  return faults;
}

function newReview(body: Call<Route>['body']): NewReview {
  const { reviewer_id, subject_id, rating, outcome, public_key, signature } = body;
  return {
    reviewer_id,
    subject_id,
    rating,
    outcome,
    task_summary: body.task_summary ?? '',
    evidence: body.evidence ?? null,
    evidence_url: body.evidence_url ?? null,
    reviewer_display_name: body.reviewer_display_name ?? null,
    subject_display_name: body.subject_display_name ?? null,
    signed: public_key != null && signature != null ? { public_key, signature } : undefined,
  };
}

/** Refuses what an id that has a key did not sign, and what was signed for another review. */
async function refuseForged(db: Db, call: Call<Route>, review: NewReview): Promise<void> {
  const { reviewer_id, signed } = review;
  const key = (await findAgent(db, reviewer_id))?.public_key ?? null;
  if (key !== null && key !== signed?.public_key) throw call.refuse('needs-signature');
  if (signed && (await isSignatureUsed(db, signed.signature))) throw call.refuse('signature-used');
}

/** Records a review of one agent by another (karma §reviews-post). */
export async function postReview(karma: Karma, call: Call<Route>): Promise<Answer<Route>> {
  const fields = faultsBetween(karma, call.body);
  if (fields.length > 0) throw call.refuse('invalid', { more: { fields } });
  const review = newReview(call.body);
  const { signed, subject_id } = review;
  if (signed && !(await verifySigned(karma, { ...signed, text: reviewText(review) }))) {
    throw call.refuse('bad-signature');
  }
  await refuseForged(karma.read, call, review);
  const counted = await karma.reviews.count(call.client);
  if (!counted.ok) {
    throw call.refuse('rate-limit', { retry_after_ms: counted.retry_after_ms });
  }

  const review_id = await karma.transact(async (tx) => {
    // Again, for a key may have come between.
    await refuseForged(tx.db, call, review);
    const now = karma.clock.now();
    const stored = await storeReview(tx.db, review, { now, spread_inline_max });
    if (stored.is_spreading) await enqueueSpread(karma, tx);
    return stored.review_id;
  });
  return {
    status: 201,
    body: { ok: true, review_id, subject_id, message: `review stored for ${subject_id}` },
  };
}
