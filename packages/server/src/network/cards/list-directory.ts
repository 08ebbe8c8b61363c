import type { Answer, network_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { directory_page_max, search_words_max } from '../limits.ts';
import type { Network } from '../network.ts';
import type { InvalidEntry, ValidEntry } from './card-entry.ts';
import type { DirectoryView } from './directory-cache.ts';
import { refuseUnavailable } from './read-card.ts';
import { readDirectory, searched } from './read-directory.ts';

type ListDirectory = typeof network_routes.listDirectory;

/** Answers are asked for anew each time: what they show has bounds of its own (D-NET-20). */
export const asked_anew = { 'cache-control': 'no-cache' };

/** The directory, or the cards in it that a search finds (NET-080 to NET-085). */
export async function listDirectory(
  network: Network,
  { query, refuse }: Call<ListDirectory>,
): Promise<Answer<ListDirectory>> {
  const words = readWords(query.q ?? '');
  if (!words) {
    throw refuse('invalid_q', { detail: `q has too many words; send at most ${search_words_max}` });
  }
  const view = await readDirectory(network).catch(refuseUnavailable);
  return { status: 200, headers: asked_anew, body: searchDirectory(view, { ...query, words }) };
}

/** The words of a search as they are compared; undefined if there are too many. */
export function readWords(q: string): string[] | undefined {
  const words = searched(q)
    .split(/\s+/)
    .filter((word) => word !== '');
  return words.length > search_words_max ? undefined : words;
}

/**
 * The cards in which each word occurs and that have exactly the capability, those after a handle. Invalid
 * ones match by their handle, never a capability, and come with the first page.
 */
export function searchDirectory(
  { cards, invalid }: DirectoryView,
  asked: {
    readonly words: readonly string[];
    readonly capability?: string;
    readonly after?: string;
    readonly limit?: number;
  },
): { cards: ValidEntry[]; invalid: InvalidEntry[]; next: string | null } {
  const { words, capability = '', limit = directory_page_max } = asked;
  const after = asked.after?.toLowerCase() ?? '';
  const found: ValidEntry[] = [];
  for (const { entry, searched } of cards) {
    if (entry.handle <= after) continue;
    if (capability !== '' && !entry.capabilities.includes(capability)) continue;
    if (!words.every((word) => searched.some((text) => text.includes(word)))) continue;
    found.push(entry);
    if (found.length > limit) break;
  }
  const page = found.slice(0, limit);
  return {
    cards: page,
    invalid:
      after === '' && capability === ''
        ? invalid.filter(({ handle }) => words.every((word) => handle.includes(word)))
        : [],
    next: found.length > limit ? (page.at(-1)?.handle ?? null) : null,
  };
}
