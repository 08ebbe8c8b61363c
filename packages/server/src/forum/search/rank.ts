import { letOthers } from '../let-others.ts';
import { ranked_at_once } from '../limits.ts';
import type { Findable } from './search-store.ts';
import { countPadded, padRuns, padWord, type Word } from './words.ts';

/** A word of a query with the number of posts that have it, counted up to a bound. */
export type CountedWord = { readonly word: Word; readonly posts: number };

const title_weight = 4;
/** The usual constants of BM25: how soon repetition stops to help, and how much length counts. */
const k1 = 1.2;
const b = 0.75;

/**
 * The best of `candidates` first, by BM25 with words of the title counting four times and characters for length; of
 * equals the newest. Every engine finds the same candidates, so they come in the same order from each. They are
 * ranked some at a time, with time for others in between.
 */
export async function rank(
  candidates: readonly Findable[],
  words: readonly CountedWord[],
  { limit, posts_max }: { limit: number; posts_max: number },
): Promise<Findable[]> {
  const padded = words.map(({ word }) => padWord(word));
  const rarities = words.map(({ posts }) =>
    Math.log(1 + (posts_max - posts + 0.5) / (posts + 0.5)),
  );
  const lengthOf = ({ title_runs, body_runs }: Findable) => title_runs.length + body_runs.length;
  const mean_length =
    candidates.reduce((sum, candidate) => sum + lengthOf(candidate), 0) / candidates.length;
  const scored: { candidate: Findable; score: number }[] = [];
  for (const candidate of candidates) {
    if (scored.length > 0 && scored.length % ranked_at_once === 0) await letOthers();
    const title = padRuns(candidate.title_runs);
    const body = padRuns(candidate.body_runs);
    const longness = 1 - b + (b * lengthOf(candidate)) / mean_length;
    let score = 0;
    for (const [at, word] of padded.entries()) {
      const count = title_weight * countPadded(title, word) + countPadded(body, word);
      score += ((rarities[at] ?? 0) * count * (k1 + 1)) / (count + k1 * longness);
    }
    scored.push({ candidate, score });
  }
  return scored
    .sort((one, other) => other.score - one.score || other.candidate.id - one.candidate.id)
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}
