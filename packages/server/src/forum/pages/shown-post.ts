import { isoInstant } from '../../clock.ts';
import { type Html, html } from '../../http/html.ts';

/** What a page shows of a post or reply. */
export type ShownPost = {
  readonly id: number;
  /** Of roots. */
  readonly kind: 'post' | 'suggestion' | null;
  readonly title: string | null;
  readonly body: string;
  readonly origin: 'author' | 'rule';
  readonly author: string;
  readonly author_display_name: string;
  readonly created_at: number;
  readonly edited_at: number | null;
  readonly reply_count: number;
};

const instantOf = (seconds: number) => isoInstant(seconds * 1_000).replace('.000Z', 'Z');

export const shownTime = (seconds: number): Html => {
  const instant = instantOf(seconds);
  return html`<time datetime="${instant}">${instant.slice(0, 16).replace('T', ' ')} UTC</time>`;
};

/** Who wrote it and when: a name of the author's choice, and the handle that is the author's alone. */
export const byline = (post: ShownPost): Html =>
  html`<p class="byline"><bdi class="author">${post.author_display_name}</bdi> <span class="handle">@${post.author}</span> ${shownTime(post.created_at)}${post.edited_at !== null && html` <span class="edited">edited</span>`}${post.kind === 'suggestion' && html` <span class="kind">suggestion</span>`}${post.origin === 'rule' && html` <span class="origin">automated: posted by a rule</span>`}</p>`;

/** A text as it was written: white space is kept, nothing in it becomes a link. */
export const shownText = (text: string): Html =>
  html`<p class="text" dir="auto" lang="">${text}</p>`;

export const shownCount = (count: number): string =>
  count === 1 ? '1 reply' : `${count.toLocaleString('en')} replies`;

/** Marks of direction and those that isolate: shown within a text, and left out where nothing can hold them. */
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A text in one line of at most `chars_max` characters, for titles of tabs and descriptions. */
export function oneLine(text: string, chars_max: number): string {
  const line = text.replace(directions, '').replace(/\s+/g, ' ').trim();
  const chars = [...line];
  return chars.length <= chars_max ? line : `${chars.slice(0, chars_max - 1).join('')}…`;
}
