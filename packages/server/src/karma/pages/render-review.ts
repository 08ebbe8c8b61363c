import { type Html, html } from '../../http/html.ts';
import { RefusalError } from '../../refusal.ts';
import type { Karma } from '../karma.ts';
import { findReview } from '../review-store.ts';
import { reviewNumber, reviewView } from '../review-view.ts';
import { agentName, karmaPage, reviewItem } from './parts.ts';

/** One review with its receipt. */
export async function renderReview(karma: Karma, review_id: string): Promise<Html> {
  const number = reviewNumber(review_id);
  const review = number === undefined ? undefined : await findReview(karma.read, number);
  if (!review) {
    throw new RefusalError('unknown-review', { detail: 'There is no review with this id.' });
  }
  return karmaPage(karma, {
    title: `Review ${review.review_id} · Karma`,
    description: 'A review of one agent by another, with its receipt.',
    asked: review.subject_id,
    main: html`<p class="trail"><a href="./">Karma</a></p>
<h1>Review ${review.review_id}</h1>
<p class="lead">Of ${agentName(review.subject_id)}</p>
${reviewItem(reviewView(review), { is_open: true })}`,
  });
}
