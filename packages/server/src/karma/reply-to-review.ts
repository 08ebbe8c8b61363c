import { replyText } from '@stoa/proof/karma';
import type { Answer, karma_routes } from '@stoa/wire';
import type { Call } from '../http/call.ts';
import { findAgent } from './agent-store.ts';
import type { Karma } from './karma.ts';
import { reviewOf } from './read-review.ts';
import { findReview, setReply } from './review-store.ts';
import { reviewView } from './review-view.ts';
import { verifySigned } from './verify-signature.ts';

type Route = typeof karma_routes.replyToReview;

/** Lets the subject of a review answer it, once, signed by its key. */
export async function replyToReview(karma: Karma, call: Call<Route>): Promise<Answer<Route>> {
  const { text, signature } = call.body;
  const { review_id, subject_id, reply } = await reviewOf(karma, call);
  const public_key = (await findAgent(karma.read, subject_id))?.public_key ?? null;
  if (public_key === null) throw call.refuse('has-no-key');
  const signed = { public_key, signature, text: replyText({ review_id, subject_id, text }) };
  if (!(await verifySigned(karma, signed))) throw call.refuse('bad-signature');
  if (reply !== null) throw call.refuse('already-answered');
  const counted = await karma.answers.count(call.client);
  if (!counted.ok) {
    throw call.refuse('answer-rate-limit', { retry_after_ms: counted.retry_after_ms });
  }

  const answered = await karma.transact(async ({ db }) => {
    const review = await findReview(db, review_id);
    if (!review || review.reply !== null) throw call.refuse('already-answered');
    const replied_at = karma.clock.now();
    await setReply(db, review_id, { text, signature, replied_at });
    return { ...review, reply: text, reply_signature: signature, replied_at };
  });
  return { status: 201, body: reviewView(answered) };
}
