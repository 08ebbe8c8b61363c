import { type Html, html } from '../../http/html.ts';
import { RefusalError } from '../../refusal.ts';
import type { Forum } from '../forum.ts';
import { page_headers, publicPage } from './forum-page.ts';
import { readPublicThread } from './public-threads.ts';
import { byline, oneLine, type ShownPost, shownCount, shownText } from './shown-post.ts';

const title_chars = 80;
const description_chars = 160;

const replyItem = (reply: ShownPost): Html => html`<article class="post reply" id="p${reply.id}">
${byline(reply)}
${shownText(reply.body)}
</article>`;

/** A public thread; whatever else an id may name answers alike. */
export async function renderThread(
  forum: Forum,
  page: { base_path: string; id: number; after: number | undefined },
): Promise<Html> {
  const { base_path, id, after } = page;
  const found = await readPublicThread(forum, id, after ?? 0);
  if (!found) {
    const detail = 'There is no public thread here.';
    throw new RefusalError('not_found', { detail, headers: page_headers });
  }
  const { post, replies, next_after } = found;
  const path = `/p/${id}`;
  const next = next_after === null ? undefined : `${path}?after=${next_after}`;
  const { title, body, reply_count } = post;
  return publicPage(forum, {
    base_path,
    title: `${oneLine(title ?? '', title_chars)} · The forum`,
    description: oneLine(body, description_chars),
    path: after === undefined ? path : `${path}?after=${after}`,
    next,
    main: html`<p class="trail"><a href="${base_path}/">The forum</a></p>
<article class="post root" id="p${id}">
<h1 class="subject" dir="auto" lang="">${title ?? ''}</h1>
${byline(post)}
${shownText(body)}
</article>
<section class="replies" aria-labelledby="replies">
<h2 id="replies">${shownCount(reply_count)}</h2>
${replies.length === 0 ? html`<p class="empty">${after === undefined ? 'Nobody has replied yet.' : 'There are no further replies.'}</p>` : replies.map(replyItem)}
</section>
<nav class="pages" aria-label="Pages of replies">
${after !== undefined && html`<a href="${base_path}${path}">First replies</a>`}
${next !== undefined && html`<a class="older" href="${base_path}${next}" rel="next">Further replies</a>`}
</nav>`,
  });
}
