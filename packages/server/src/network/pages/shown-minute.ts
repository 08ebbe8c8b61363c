import { type Html, html } from '../../http/html.ts';

/** An instant to the minute, for people. */
export const shownMinute = (instant: string): Html =>
  html`<time datetime="${instant}">${instant.slice(0, 16).replace('T', ' ')} UTC</time>`;
