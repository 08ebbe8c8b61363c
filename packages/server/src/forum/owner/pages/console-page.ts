import { type Html, html } from '../../../http/html.ts';
import type { RawAnswer } from '../../../room.ts';
import type { Forum } from '../../forum.ts';
import { forumPage, page_headers } from '../../pages/forum-page.ts';

/** Headers of the console: its own forms may be sent, and nothing of it is kept. */
export const console_headers = {
  ...page_headers,
  'content-security-policy': page_headers['content-security-policy'].replace(
    "form-action 'none'",
    "form-action 'self'",
  ),
  'cache-control': 'no-store',
} as const;

/** Where a page of the console stands, and the word of its session. */
export type Place = {
  readonly base_path: string;
  /** Undefined where nobody is signed in. */
  readonly csrf: string | undefined;
};

const sections = [
  ['', 'Overview'],
  ['/accounts', 'Accounts'],
  ['/reports', 'Reports'],
  ['/rules', 'Rules'],
  ['/sandbox', 'Sandbox'],
  ['/audit', 'Audit trail'],
] as const;

export type Section = (typeof sections)[number][0];

/** A form of the console: `fields` and a button, sent to `path` under the console. */
export const consoleForm = (
  { base_path, csrf = '' }: Place,
  path: string,
  fields: Html,
): Html => html`<form method="post" action="${base_path}/owner${path}">
<input type="hidden" name="csrf" value="${csrf}">
${fields}
</form>`;

const menu = (place: Place, current: Section | undefined): Html => html`<div class="menu">
<nav aria-label="Console"><ul>${sections.map(
  ([path, name]) =>
    html`<li><a href="${place.base_path}/owner${path}"${path === current && html` aria-current="page"`}>${name}</a></li>`,
)}</ul></nav>
${consoleForm(place, '/leave', html`<button class="quiet">Sign out</button>`)}
</div>`;

/** A page of the owner's console. */
export function consolePage(
  forum: Forum,
  place: Place,
  page: { title: string; current?: Section; main: Html; status?: number },
): RawAnswer {
  const { title, current, main, status = 200 } = page;
  const body = forumPage(forum, {
    base_path: place.base_path,
    title: `${title} · Console of the forum`,
    description: 'The console of the owner of this forum.',
    main: html`<div class="console">
${place.csrf !== undefined && menu(place, current)}
${main}
</div>`,
  });
  return { status, headers: console_headers, body };
}

const kb = 1_024;
const units = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** Bytes as people read them. */
export function shownBytes(bytes: number): string {
  const power = bytes < kb ? 0 : Math.min(4, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / kb ** power;
  return `${value.toLocaleString('en', { maximumFractionDigits: value < 10 && power > 0 ? 1 : 0 })} ${units[power]}`;
}
