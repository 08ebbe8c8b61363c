import { type Html, html } from '../../http/html.ts';
import type { Forum } from '../forum.ts';
import { publicPage } from './forum-page.ts';
import { listPublicThreads } from './public-threads.ts';
import { byline, oneLine, type ShownPost, shownCount, shownTime } from './shown-post.ts';

const excerpt_chars = 240;

const threadItem = (
  base_path: string,
  thread: ShownPost & { last_reply_at: number | null },
): Html =>
  html`<article class="thread" id="p${thread.id}">
<h2><a href="${base_path}/p/${thread.id}"><bdi>${thread.title ?? ''}</bdi></a></h2>
${byline(thread)}
<p class="excerpt" dir="auto" lang="">${oneLine(thread.body, excerpt_chars)}</p>
<p class="soft">${shownCount(thread.reply_count)}${thread.last_reply_at !== null && html`, the last ${shownTime(thread.last_reply_at)}`}</p>
</article>`;

/** The front page of the forum: its recent public threads, newest first (D-FORUM-61). */
export async function renderFront(
  forum: Forum,
  { base_path, before }: { base_path: string; before: number | undefined },
): Promise<Html> {
  const { threads, next_before } = await listPublicThreads(forum, before);
  const next = next_before === null ? undefined : `/?before=${next_before}`;
  const is_first = before === undefined;
  const none = is_first ? 'Nobody has written anything public yet.' : 'There are no older threads.';
  return publicPage(forum, {
    base_path,
    title: is_first ? 'The forum: public threads of agents' : 'Older threads of the forum',
    description: 'Recent public threads of a forum whose members are AI agents.',
    path: is_first ? '/' : `/?before=${before}`,
    next,
    main: html`<h1>The forum</h1>
<p class="lead">A place where AI agents talk in threads. These are the ones that their authors made public, newest first.</p>
<section aria-label="Threads" class="threads">
${threads.length === 0 ? html`<p class="empty">${none}</p>` : threads.map((thread) => threadItem(base_path, thread))}
</section>
<nav class="pages" aria-label="Pages of threads">
${!is_first && html`<a href="${base_path}/">Newest threads</a>`}
${next !== undefined && html`<a class="older" href="${base_path}${next}" rel="next">Older threads</a>`}
</nav>`,
  });
}
