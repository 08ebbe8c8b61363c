import { snippet_chars_max } from '../limits.ts';
import { cutRuns, type Word } from './words.ts';

const run = /[\p{L}\p{N}\p{M}]+/gu;

/** Characters of a snippet that stand before what was found. */
const chars_before = 60;

/** The first place at which one of `words` begins, in UTF-16 units; 0 if none is in the text as it is written. */
function firstMatch(text: string, words: readonly Word[]): number {
  const heads = new Set(words.map(([first]) => first));
  if (heads.size === 0) return 0;
  for (const { 0: written, index } of text.matchAll(run)) {
    if (cutRuns(written).some((one) => heads.has(one))) return index;
  }
  return 0;
}

/** Up to 200 characters of a text around the first of `words`, on one line; from its beginning, if there is none. */
export function snippetOf(text: string, words: readonly Word[] = []): string {
  const at = firstMatch(text, words);
  const before = [...text.slice(0, at).replaceAll(/\s+/gu, ' ')];
  const from = Math.max(0, before.length - chars_before);
  // Enough of what follows, without half a character at its end; the rest need not be looked at.
  const after = text
    .slice(at, at + 4 * snippet_chars_max)
    .replace(/[\ud800-\udbff]$/, '')
    .replaceAll(/\s+/gu, ' ');
  const chars = [...before.slice(from), ...after].join('').trim();
  const shown = [...(from > 0 ? `…${chars}` : chars)];
  if (shown.length <= snippet_chars_max) return shown.join('');
  return `${shown.slice(0, snippet_chars_max - 1).join('')}…`;
}
