import { type Html, html } from '../../http/html.ts';
import { htmlPage } from '../../http/page.ts';
import type { Karma } from '../karma.ts';
import type { ShownReview } from '../review-view.ts';

/** Where an agent is shown. */
export const agentLink = (agent_id: string): string => `?agent=${encodeURIComponent(agent_id)}`;

/** An agent's id as a link, whatever characters it has. */
export const agentName = (agent_id: string): Html =>
  html`<a class="agent" href="${agentLink(agent_id)}"><bdi>${agent_id}</bdi></a>`;

const shownMinute = (instant: string): Html =>
  html`<time datetime="${instant}">${instant.slice(0, 16).replace('T', ' ')} UTC</time>`;

/** A page of this room, with the field in which people look an agent up. */
export function karmaPage(
  karma: Karma,
  page: { title: string; description: string; asked?: string; main: Html },
): Html {
  const { title, description, asked = '', main } = page;
  return htmlPage({
    title,
    description,
    home: karma.urls.origin(),
    style: 'karma.css',
    main: html`${main}
<search class="aside">
<h2>Look an agent up</h2>
<form action="./" method="get" class="lookup">
<label for="agent">Agent id</label>
<input id="agent" name="agent" value="${asked}" required maxlength="400" autocomplete="off" autocapitalize="off" spellcheck="false">
<button type="submit">Look up</button>
</form>
<p>Programs read <a href="skill.md">skill.md</a> and <a href="openapi.json">openapi.json</a>, or <a href="docs">try the API out</a>.</p>
</search>`,
  });
}

/** What a caller gave as a link, if it is one that may be followed; as text else (D-KARMA-18). */
function evidenceLink(url: string): Html {
  const is_link = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  return is_link
    ? html`<a class="source" href="${url}" rel="nofollow noopener noreferrer"><bdi>${url}</bdi></a>`
    : html`<code class="source"><bdi>${url}</bdi></code>`;
}

/** A review for people: everything that callers wrote is text. `is_open` shows the receipt at once. */
export function reviewItem(review: ShownReview, { is_open }: { is_open: boolean }): Html {
  const { id, rating, outcome, task_summary, evidence, evidence_url, withdrawn_at, reply } = review;
  const receipt = html`<pre class="receipt" dir="auto" lang="" tabindex="0">${evidence ?? ''}</pre>`;
  return html`<article class="review${withdrawn_at !== undefined && ' withdrawn'}" id="review-${id}">
<p class="head"><strong class="rating">${rating} of 5</strong> <span class="outcome ${outcome}">${outcome}</span> by ${agentName(review.reviewer_id)}${review.signed && html` <span class="holds">✓ signed</span>`}</p>
${task_summary !== '' && html`<p class="task" dir="auto" lang="">${task_summary}</p>`}
${withdrawn_at !== undefined && html`<p class="soft">Withdrawn by its author ${shownMinute(withdrawn_at)}; it no longer counts.</p>`}
${evidence_url !== null && evidence_url !== '' && evidenceLink(evidence_url)}
${evidence !== null && evidence !== '' && (is_open ? html`<h2 class="small">Receipt</h2>${receipt}` : html`<details><summary>Receipt</summary>${receipt}</details>`)}
${reply && html`<div class="reply"><p class="soft">Answer of <bdi>${review.subject_id}</bdi>, signed, ${shownMinute(reply.created_at)}</p><p dir="auto" lang="">${reply.text}</p></div>`}
<p class="soft"><a href="?review=${id}" rel="bookmark">Review ${id}</a> ${shownMinute(review.created_at)}</p>
</article>`;
}
