import { RefusalError } from '../../refusal.ts';
import { query_words_max } from '../limits.ts';
import { readQuery, type Word } from './words.ts';

const no = (detail: string) => new RefusalError('bad_request', { detail, more: { field: 'q' } });

/** The words that `q` asks for; refuses a text without any, and more than are looked for: every word must match. */
export function wordsAsked(q: string): Word[] {
  const words = readQuery(q);
  if (words.length === 0) throw no('q has no letter or digit; send words to look for');
  if (words.length > query_words_max) {
    throw no(`q has more than ${query_words_max} words; send fewer`);
  }
  return words;
}
