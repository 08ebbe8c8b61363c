import { hash } from 'node:crypto';

/** One word of a query: runs that must stand next to one another, in this order. */
export type Word = readonly string[];

const run = /[\p{L}\p{N}\p{M}]+/gu;
const letter_or_digit = /[\p{L}\p{N}]/u;

/** Longer runs are kept as their beginning and a digest: neither engine indexes runs of any length. */
const run_length_max = 64;
const run_head_length = 24;

function bounded(text: string): string {
  if (text.length <= run_length_max) return text;
  let end = 0;
  for (let characters = 0; characters < run_head_length; characters += 1) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return text.slice(0, end) + hash('sha256', text);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: @NOTE All of ASCII is meant.
const ascii = /^[\x00-\x7f]*$/;
const ascii_run = /[a-z0-9]+/g;

/**
 * The runs of letters, digits and marks of a text, in one form for all ways to write them (D-FORUM-59). Texts and
 * queries go through here before any engine sees them, so that all engines find the same.
 */
export function cutRuns(text: string): string[] {
  // Most texts have but one form already, and no marks.
  if (ascii.test(text)) return (text.toLowerCase().match(ascii_run) ?? []).map(bounded);
  const runs = text.normalize('NFKC').match(run) ?? [];
  // Each run by itself: the small form of a letter depends on what surrounds it.
  return runs.filter((one) => letter_or_digit.test(one)).map((one) => bounded(one.toLowerCase()));
}

/** The words of a query that can be looked for, each once; none, if no letter or digit is in it. */
export function readQuery(query: string): Word[] {
  const words = query
    .split(/\s+/u)
    .filter((word) => word !== '')
    .map(cutRuns)
    .filter((runs) => runs.length > 0);
  return [...new Map(words.map((runs) => [runs.join(' '), runs])).values()];
}

/** Runs that are joined by single spaces, with one on each side, so that a word among them is found whole. */
export const padRuns = (joined_runs: string) => ` ${joined_runs} `;

/** A word as it stands among padded runs. */
export const padWord = (word: Word) => padRuns(word.join(' '));

/** How often a padded word occurs in padded runs. */
export function countPadded(runs: string, word: string): number {
  let count = 0;
  for (let at = runs.indexOf(word); at >= 0; at = runs.indexOf(word, at + 1)) count += 1;
  return count;
}

/** Whether every word occurs in one of these texts. */
export function matchesAll(texts: readonly string[], words: readonly Word[]): boolean {
  const cut = texts.map((text) => padRuns(cutRuns(text).join(' ')));
  return words.every((word) => cut.some((runs) => runs.includes(padWord(word))));
}
