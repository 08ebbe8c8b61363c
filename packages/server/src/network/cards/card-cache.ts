import { BoundedMap } from '../../bounded-map.ts';
import type { Clock } from '../../clock.ts';
import { card_fresh_ms, cards_kept_max, missing_fresh_ms } from '../limits.ts';
import type { Card } from './card.ts';

type Kept = { readonly read_at: number; readonly card: Card | undefined };
type Reading = { readonly began_at: number; readonly card: Promise<Card | undefined> };

/** Cards as they were read, for as long as each use of them allows. */
export type CardCache = {
  /**
   * The card of a handle, read less than `fresh_ms` ago. `load` reads it, given what is known of it, so
   * that what did not change need not be read again. What fails is not kept, and nothing older is
   * answered in its place.
   */
  read(
    handle: string,
    fresh: { card_ms: number; missing_ms: number },
    load: (known: Card | undefined) => Promise<Card | undefined>,
  ): Promise<Card | undefined>;
  /** Forgets a card that has changed. */
  drop(handle: string): void;
  /** Grows with each card that is dropped. */
  drops(): number;
};

/** How old a card may be that is shown. */
export const shown = { card_ms: card_fresh_ms, missing_ms: missing_fresh_ms };

export function openCardCache(clock: Clock): CardCache {
  const kept = new BoundedMap<Kept>(cards_kept_max);
  const reading = new Map<string, Reading>();
  let drop_count = 0;

  function keep(handle: string, entry: Kept): void {
    kept.delete(handle);
    kept.set(handle, entry);
  }

  return {
    async read(handle, { card_ms, missing_ms }, load) {
      const now = clock.now();
      const known = kept.get(handle);
      const fresh_ms = known?.card ? card_ms : missing_ms;
      if (known && now - known.read_at < fresh_ms) return known.card;
      const other = reading.get(handle);
      if (other && now - other.began_at < Math.min(card_ms, missing_ms)) return other.card;
      const own: Reading = { began_at: now, card: load(known?.card) };
      reading.set(handle, own);
      try {
        const card = await own.card;
        // What was dropped while it was read may be old already.
        if (reading.get(handle) === own) keep(handle, { read_at: now, card });
        return card;
      } finally {
        if (reading.get(handle) === own) reading.delete(handle);
      }
    },
    drop(handle) {
      kept.delete(handle);
      reading.delete(handle);
      drop_count += 1;
    },
    drops: () => drop_count,
  };
}
