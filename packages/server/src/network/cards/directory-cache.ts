import type { Clock } from '../../clock.ts';
import { directory_fresh_ms } from '../limits.ts';
import type { CardCache } from './card-cache.ts';
import type { InvalidEntry, ValidEntry } from './card-entry.ts';

/** A valid card, and the texts in which a search looks for words. */
export type ListedCard = { readonly entry: ValidEntry; readonly searched: readonly string[] };

/** All cards of the house, valid and invalid, each by handle. */
export type DirectoryView = {
  readonly cards: readonly ListedCard[];
  readonly invalid: readonly InvalidEntry[];
};

/** Keeps the directory for five seconds, or until a card is dropped. */
export type DirectoryCache = {
  get(read: () => Promise<DirectoryView>): Promise<DirectoryView>;
};

type Made = {
  readonly made_at: number;
  readonly drops: number;
  readonly view: Promise<DirectoryView>;
};

export function openDirectoryCache(clock: Clock, cards: CardCache): DirectoryCache {
  let kept: Made | undefined;
  return {
    get(read) {
      const now = clock.now();
      const drops = cards.drops();
      if (kept && now - kept.made_at < directory_fresh_ms && kept.drops === drops) return kept.view;
      const made: Made = { made_at: now, drops, view: read() };
      kept = made;
      made.view.catch(() => {
        if (kept === made) kept = undefined;
      });
      return made.view;
    },
  };
}
