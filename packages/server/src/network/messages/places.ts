import type { Deps } from '../../deps.ts';
import type { Tx } from '../../storage/storage.ts';
import { relations_kept_max } from '../limits.ts';
import { lastMessageNumber } from './message-store.ts';
import { lastNumberOf } from './thread-store.ts';

/** Where the next message goes: among all, and in its thread behind `previous`. */
export type Place = { readonly number: number; readonly previous: number };

/** Gives out the places of messages, from memory where the last ones are known. */
export type Places = {
  /** The next place in a thread, within the unit of work that files a message there. */
  take(tx: Tx, thread: string): Promise<Place>;
};

const of_all = 'last';

export function openPlaces({ caches }: Pick<Deps, 'caches'>): Places {
  const last = caches.open<number>({
    name: 'net-message-number',
    entries_max: 1,
    load: (_, db) => lastMessageNumber(db),
  });
  const last_of_thread = caches.open<number>({
    name: 'net-thread-number',
    entries_max: relations_kept_max,
    load: (thread, db) => lastNumberOf(db, thread),
  });
  return {
    async take(tx, thread) {
      const number = ((await last.within(tx, of_all)) ?? 0) + 1;
      const previous = (await last_of_thread.within(tx, thread)) ?? 0;
      last.put(tx, of_all, number);
      last_of_thread.put(tx, thread, number);
      return { number, previous };
    },
  };
}
