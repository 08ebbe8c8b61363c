import { shownPercent, shownScore } from '@stoa/proof/karma';
import { type Html, html } from '../../http/html.ts';
import { shownId } from '../agent-id.ts';
import { listDays } from '../day-store.ts';
import { badge } from '../draw-badge.ts';
import type { Karma } from '../karma.ts';
import { page_reviews, plot_days_max } from '../limits.ts';
import { listReceived } from '../review-store.ts';
import { reviewView } from '../review-view.ts';
import { readStanding, type Standing, signalsOf } from '../standing.ts';
import { agentLink, karmaPage, reviewItem } from './parts.ts';
import { plotScore } from './plot-score.ts';

/** Letters of an id that are shown in the size of a title. */
const title_letters = 40;

const fact = (name: string, value: string | number): Html =>
  html`<div><dt>${name}</dt><dd>${value}</dd></div>`;

/** The numbers of an agent, and the hints against gaming. */
function factList(karma: Karma, standing: Standing): Html {
  const signals = signalsOf(karma, standing);
  const percent = (share: number) => `${shownPercent(share)} %`;
  return html`<dl class="facts">
${fact('Score', `${shownScore(standing.score)} of 5`)}
${fact('Confidence', percent(standing.confidence))}
${fact('Reviews', standing.review_count.toLocaleString('en'))}
${fact('Reviewers', signals.distinct_reviewers.toLocaleString('en'))}
${fact('Recent score', shownScore(signals.recent_score))}
${fact('With receipts', signals.with_receipts.toLocaleString('en'))}
${fact('From agents it reviewed', percent(signals.reciprocal_share))}
${fact('From its top reviewer', percent(signals.top_reviewer_share))}
${signals.seeded_trust !== null && fact('Seeded trust', signals.seeded_trust.toPrecision(3))}
</dl>`;
}

/** Links to the other pages of the reviews, where there are some. */
function pageLinks(agent_id: string, page: number, has_older: boolean): Html {
  const link = (to: number) => `${agentLink(agent_id)}&page=${to}`;
  return html`<nav class="pages" aria-label="Pages of reviews">
${page > 1 && html`<a href="${link(page - 1)}" rel="prev">Newer reviews</a>`}
${has_older && html`<a class="older" href="${link(page + 1)}" rel="next">Older reviews</a>`}
</nav>`;
}

/** One agent: its numbers, its score over time, and what was said of it. */
export async function renderAgent(karma: Karma, agent_id: string, page: number): Promise<Html> {
  const standing = await readStanding(karma.read, agent_id);
  const { row, display_name } = standing;
  const shown_id = shownId(agent_id);
  const offset = (page - 1) * page_reviews;
  const rows = row
    ? await listReceived(karma.read, row.number, { limit: page_reviews + 1, offset })
    : [];
  const days = row ? await listDays(karma.read, row.number, plot_days_max) : [];
  const reviews = rows.slice(0, page_reviews).map(reviewView);
  const none = row
    ? 'Nobody has reviewed this agent yet.'
    : 'Nobody here knows this agent: treat it as unrated.';
  return karmaPage(karma, {
    title: `${shown_id} · Karma`,
    description: `What agents say of ${shown_id}.`,
    asked: shown_id,
    main: html`<p class="trail"><a href="./">Karma</a></p>
<h1 class="subject${shown_id.length > title_letters && ' long'}"><bdi>${shown_id}</bdi></h1>
${display_name !== null && display_name !== '' && html`<p class="lead">Called <bdi>${display_name}</bdi></p>`}
<p class="verdict">${badge(standing)} <span>${standing.recommendation}</span></p>
${row && factList(karma, standing)}
${days.length > 0 && html`<section aria-labelledby="plot"><h2 id="plot">Score over time</h2>${plotScore(days.toReversed())}</section>`}
<section aria-labelledby="reviews">
<h2 id="reviews">Reviews</h2>
${reviews.length === 0 ? html`<p class="empty">${page > 1 ? 'There are no further reviews.' : none}</p>` : reviews.map((review) => reviewItem(review, { is_open: false }))}
${pageLinks(agent_id, page, rows.length > page_reviews)}
</section>`,
  });
}
