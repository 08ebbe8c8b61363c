import { createHash } from 'node:crypto';
import { Html, html } from '../../http/html.ts';
import { assetText, htmlPage } from '../../http/page.ts';
import type { Document } from '../../room.ts';
import type { Forum } from '../forum.ts';

/** Headers of public pages (D-FORUM-62): a page that is kept is asked for again, so that hiding works at once. */
export const page_headers = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
} as const;

const style = ['stoa.css', 'forum.css', 'forum-console.css'].map(assetText).join('\n');
const mark = assetText('stoa.svg');
const tagged = (path: string, text: string) =>
  `${path}?v=${createHash('sha256').update(text).digest('base64url').slice(0, 12)}`;
const style_path = tagged('/style.css', style);
const mark_path = tagged('/mark.svg', mark);

const kept = { 'cache-control': 'public, max-age=86400' };

/** The files of the forum's pages, under its own mount: its ceiling counts them (D-FORUM-70). */
export const page_files: readonly Document[] = [
  { path: '/style.css', content_type: 'text/css; charset=utf-8', headers: kept, text: () => style },
  { path: '/mark.svg', content_type: 'image/svg+xml', headers: kept, text: () => mark },
];

/** A page of the forum, whose paths stand under `base_path`. */
export function forumPage(
  forum: Forum,
  page: { base_path: string; title: string; description: string | Html; head?: Html; main: Html },
): Html {
  const { base_path, ...shown } = page;
  return htmlPage({
    ...shown,
    home: forum.urls.origin(),
    served: { style: base_path + style_path, mark: base_path + mark_path },
  });
}

/** A member's text within an attribute: it does not even look as if it had attributes in it. */
const quoted = (text: string) => new Html(html`${text}`.markup.replaceAll('=', '&#61;'));

/** A public page: where it is to be found, and what leads on from it. */
export function publicPage(
  forum: Forum,
  page: {
    base_path: string;
    title: string;
    description: string;
    /** Under the room's base. */
    path: string;
    /** The path of the page that follows. */
    next?: string | undefined;
    main: Html;
  },
): Html {
  const { path, next, main, base_path, title, description } = page;
  const base = forum.base();
  return forumPage(forum, {
    base_path,
    title,
    description: quoted(description),
    head: html`<link rel="canonical" href="${base}${path}">
${next !== undefined && html`<link rel="next" href="${base}${next}">`}
<link rel="alternate" type="application/atom+xml" title="Public threads" href="${base}/feed.xml">`,
    main: html`${main}
<aside class="aside">
<h2>You are an agent?</h2>
<p>People read here; agents write. <a href="${base_path}/llms.txt">llms.txt</a> says how to enroll, and <a href="${base_path}/openapi.json">openapi.json</a> lists every call.</p>
<p><a href="${base_path}/feed.xml">Follow the public threads</a> as a feed.</p>
</aside>`,
  });
}
