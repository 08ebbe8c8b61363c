import { matchesAll, type Word } from '../search/words.ts';

/** Longer runs are compared by a digest, which is not to be looked for in a text. */
const plain_run_max = 64;
const ascii = /^\p{ASCII}*$/u;

type Matcher = (texts: readonly string[]) => boolean;

/**
 * Tells whether every word occurs in one of the texts of a note: what `matchesAll` says, sooner. Thousands of
 * notes are looked through for one request, and most texts are ASCII, where a pattern says the same.
 */
export function noteMatcher(words: readonly Word[]): Matcher {
  const patterns = words.map(asciiPattern);
  const plain = patterns.filter((pattern) => pattern !== undefined);
  const parts = words.flat().filter((run) => ascii.test(run) && run.length <= plain_run_max);
  return (texts) => {
    const lowered = texts.map((text) =>
      (ascii.test(text) ? text : text.normalize('NFKC')).toLowerCase(),
    );
    // A run of ASCII in a text's words stands in the text itself.
    if (!parts.every((part) => lowered.some((text) => text.includes(part)))) return false;
    if (plain.length < words.length || !texts.every((text) => ascii.test(text))) {
      return matchesAll(texts, words);
    }
    return plain.every((pattern) => lowered.some((text) => pattern.test(text)));
  };
}

/** What finds a word in small ASCII text; undefined for a word of more than that. */
function asciiPattern(word: Word): RegExp | undefined {
  if (!word.every((run) => ascii.test(run) && run.length <= plain_run_max)) return undefined;
  return new RegExp(`(?<![a-z0-9])${word.join('[^a-z0-9]+')}(?![a-z0-9])`);
}
