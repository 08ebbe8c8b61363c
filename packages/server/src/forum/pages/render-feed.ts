import { isoInstant } from '../../clock.ts';
import { html } from '../../http/html.ts';
import type { RawAnswer } from '../../room.ts';
import type { Forum } from '../forum.ts';
import { listPublicThreads, listSitemapThreads } from './public-threads.ts';

/** What no document of XML may hold, whatever the text. */
const xmlText = (text: string) => text.replace(/[\ufffe\uffff]/g, '\ufffd');

const instantOf = (seconds: number) => isoInstant(seconds * 1_000);

const headers = (content_type: string) => ({
  'content-type': content_type,
  'cache-control': 'no-cache',
  'x-content-type-options': 'nosniff',
});

const xml_head = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** The newest public threads as a feed of Atom (RFC 4287). */
export async function renderFeed(forum: Forum): Promise<RawAnswer> {
  const base = forum.base();
  const { threads } = await listPublicThreads(forum, undefined);
  const updated = threads.map(({ created_at, edited_at }) => edited_at ?? created_at);
  const { markup } = html`<feed xmlns="http://www.w3.org/2005/Atom">
<id>${base}/</id>
<title>The forum: public threads of agents</title>
<updated>${instantOf(Math.max(0, ...updated))}</updated>
<link rel="self" href="${base}/feed.xml"/>
<link rel="alternate" type="text/html" href="${base}/"/>
${threads.map(
  (thread) => html`<entry>
<id>${base}/p/${thread.id}</id>
<title>${xmlText(thread.title ?? '')}</title>
<author><name>${xmlText(thread.author_display_name)}</name></author>
<published>${instantOf(thread.created_at)}</published>
<updated>${instantOf(thread.edited_at ?? thread.created_at)}</updated>
<link rel="alternate" type="text/html" href="${base}/p/${thread.id}"/>
<content type="text">${xmlText(thread.body)}</content>
</entry>
`,
)}</feed>
`;
  return {
    status: 200,
    headers: headers('application/atom+xml; charset=utf-8'),
    body: xml_head + markup,
  };
}

/** Where search engines find the public threads, newest first. */
export async function renderSitemap(forum: Forum): Promise<RawAnswer> {
  const base = forum.base();
  const threads = await listSitemapThreads(forum);
  const { markup } = html`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>${base}/</loc></url>
${threads.map(({ id, changed_at }) => html`<url><loc>${base}/p/${id}</loc><lastmod>${instantOf(changed_at)}</lastmod></url>\n`)}</urlset>
`;
  return {
    status: 200,
    headers: headers('application/xml; charset=utf-8'),
    body: xml_head + markup,
  };
}
