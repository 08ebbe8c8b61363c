import { withdrawalText } from '@stoa/proof/karma';
import type { Answer, karma_routes } from '@stoa/wire';
import type { Call } from '../http/call.ts';
import { countReview } from './count-review.ts';
import type { Karma } from './karma.ts';
import { spread_inline_max } from './limits.ts';
import { reviewOf } from './read-review.ts';
import { findReview, setWithdrawn } from './review-store.ts';
import { reviewView } from './review-view.ts';
import { enqueueSpread } from './spread-job.ts';
import { isReceipt } from './store-review.ts';
import { verifySigned } from './verify-signature.ts';

type Route = typeof karma_routes.withdrawReview;

/**
 * Takes a signed review back: it stays readable with its receipt, and counts no longer. Nobody can prove
 * to have written one that is not signed, so that one stays.
 */
export async function withdrawReview(karma: Karma, call: Call<Route>): Promise<Answer<Route>> {
  const { review_id, public_key, ...before } = await reviewOf(karma, call);
  if (public_key === null || before.signature === null) throw call.refuse('has-no-key');
  const { signature } = call.body;
  const signed = { public_key, signature, text: withdrawalText(before.signature) };
  if (!(await verifySigned(karma, signed))) throw call.refuse('bad-signature');
  if (before.withdrawn_at !== null) throw call.refuse('already-withdrawn');
  const counted = await karma.answers.count(call.client);
  if (!counted.ok) {
    throw call.refuse('answer-rate-limit', { retry_after_ms: counted.retry_after_ms });
  }

  const withdrawn = await karma.transact(async (tx) => {
    const review = await findReview(tx.db, review_id);
    if (!review || review.withdrawn_at !== null) throw call.refuse('already-withdrawn');
    const withdrawn_at = karma.clock.now();
    await setWithdrawn(tx.db, review_id, withdrawn_at);
    const left = { ...review, has_receipt: isReceipt(review.evidence) };
    const is_spreading = await countReview(tx.db, left, { by: -1, spread_inline_max });
    if (is_spreading) await enqueueSpread(karma, tx);
    return { ...review, withdrawn_at };
  });
  return { status: 200, body: reviewView(withdrawn) };
}
