import type { ValidEntry } from '../cards/card-entry.ts';
import { matches_max } from '../limits.ts';

export type Match = ValidEntry & { readonly score: number; readonly why: string[] };

const word_form = /[\p{L}\p{N}]+/gu;
const word_length_min = 2;

/** The different words of a text: runs of letters and digits, small by no language's rules (D-NET-79). */
const wordsOf = (text: string) => new Set(text.toLowerCase().match(word_form) ?? []);

/** The cards that fit a question best, with what each is worth and why (D-NET-48). */
export function rankCards(cards: readonly ValidEntry[], query: string): Match[] {
  const words = [...wordsOf(query)].filter((word) => [...word].length >= word_length_min);
  const whole = query.trim().toLowerCase();
  return cards
    .map((card) => ({ ...card, ...worth(card, words, whole) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.handle < b.handle ? -1 : 1))
    .slice(0, matches_max);
}

/** What a card is worth for a question: for each word its best find, and more if all of it is a capability. */
function worth(card: ValidEntry, words: readonly string[], whole: string) {
  const { handle, display_name, description } = card;
  const capabilities = card.capabilities.map((shown) => ({ shown, small: shown.toLowerCase() }));
  const capability = (fits: (small: string) => boolean) => {
    const found = capabilities.find(({ small }) => fits(small));
    return found && `capability: ${found.shown}`;
  };
  const name_words = wordsOf(display_name);
  const description_words = wordsOf(description ?? '');

  function best(word: string): [points: number, why: string] | undefined {
    const equal = capability((small) => small === word);
    if (equal) return [10, equal];
    if (handle === word) return [8, `handle: ${handle}`];
    if (name_words.has(word)) return [5, `display name: ${word}`];
    const part = capability((small) => small.includes(word));
    if (part) return [4, part];
    if (handle.includes(word)) return [3, `handle: ${handle}`];
    return description_words.has(word) ? [2, `description: ${word}`] : undefined;
  }

  const why = new Set<string>();
  let score = 0;
  for (const word of words) {
    const [points, reason] = best(word) ?? [0, undefined];
    score += points;
    if (reason !== undefined) why.add(reason);
  }
  const all = capability((small) => small === whole);
  if (all) {
    score += 5;
    why.add(all);
  }
  return { score, why: [...why] };
}
