import type { Clock } from '../clock.ts';
import type { Db } from '../storage/storage.ts';
import type { Places, PlacesSpec, Swept } from './limits.ts';
import * as store from './limits-store.ts';

/**
 * Places that all processes on one PostgreSQL share. A key has numbered slots, each a row with an end;
 * beside them each process counts its places, and one row counts those of all. What a process held when
 * it died is free again after `hold_max_ms`, and counts no more after the next sweep.
 */
export function sharedPlaces(spec: PlacesSpec, db: Db, clock: Clock): Places & Swept {
  const { name: limiter, key_places_max, places_max, hold_max_ms } = spec;
  let own_name: Promise<string> | undefined;

  /** A name that no other process has. */
  async function register(): Promise<string> {
    await store.insertTotal(db, limiter);
    return store.newHolder(db);
  }

  function ownName(): Promise<string> {
    const name = own_name ?? register();
    own_name = name;
    name.catch(() => {
      own_name = undefined;
    });
    return name;
  }

  /** Places of this process that are being given back, by key: whoever asks next waits for them. */
  const returning = new Map<string, Promise<void>>();

  function giveBackSoon(key: string, giveBack: () => Promise<void>): void {
    const before = returning.get(key);
    // One that cannot be given back, such as when the database is away, is free by itself later.
    const returned = Promise.all([before, giveBack().catch(() => {})]).then(() => {
      if (returning.get(key) === returned) returning.delete(key);
    });
    returning.set(key, returned);
  }

  return {
    async take(key) {
      await returning.get(key);
      const holder = await ownName();
      const now = clock.now();
      const over_at = now + hold_max_ms;
      let slot = 1;
      while (!(await store.takeSlot(db, { limiter, key, slot, holder, now, over_at }))) {
        slot += 1;
        if (slot > key_places_max) return undefined;
      }
      if (!(await store.countPlace(db, { limiter, holder, places_max, over_at }))) {
        await store.deleteSlot(db, { limiter, key, slot, holder });
        return undefined;
      }
      const giveBack = async () => {
        await store.deleteSlot(db, { limiter, key, slot, holder });
        await store.uncountPlace(db, { limiter, holder });
      };
      let is_held = true;
      return () => {
        if (is_held) giveBackSoon(key, giveBack);
        is_held = false;
      };
    },
    sweep: async () => (await store.sweepPlaces(db, limiter, clock.now())) >= store.swept_rows_max,
    keyCount: () => 0,
  };
}
