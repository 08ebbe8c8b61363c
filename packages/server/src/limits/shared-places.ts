import type { Clock } from '../clock.ts';
import type { Db } from '../storage/storage.ts';
import type { Places, PlacesSpec, Swept } from './limits.ts';
import * as store from './limits-store.ts';

/** So soon after it failed, places are given back again; then after twice as long, each time. */
const pause_ms_min = 100;
const pause_ms_max = 5_000;

type Held = store.Place & { over_at: number };

/**
 * Places that all processes on one PostgreSQL share. A key has numbered slots, each a row with an end;
 * beside them one row counts those of all keys. What a process held when it died is free again after
 * `hold_max_ms`, and counts no more after the next sweep.
 */
export function sharedPlaces(spec: PlacesSpec, db: Db, clock: Clock): Places & Swept {
  const { name: limiter, key_places_max, places_max, hold_max_ms } = spec;
  let process_name: Promise<string> | undefined;
  let taken_count = 0;

  /** A name that no other holder has. */
  async function newHolder(): Promise<string> {
    const name = process_name ?? store.newHolder(db);
    process_name = name;
    name.catch(() => {
      process_name = undefined;
    });
    taken_count += 1;
    return `${await name} ${taken_count}`;
  }

  /** Places of this process that are being given back, by key: whoever asks next waits for them. */
  const returning = new Map<string, Promise<void>>();
  /** Places that could not be given back, or may have been taken, when the database was away. */
  const owed = new Map<string, Held>();
  let cancelRetry: (() => void) | undefined;
  let pause_ms = pause_ms_min;
  let is_closed = false;

  function oweBack(place: Held): void {
    owed.set(place.holder, place);
    retryLater();
  }

  function retryLater(): void {
    if (cancelRetry || is_closed || owed.size === 0) return;
    cancelRetry = clock.after(pause_ms, () => void retry());
    pause_ms = Math.min(2 * pause_ms, pause_ms_max);
  }

  async function retry(): Promise<void> {
    const places = [...owed.values()];
    const is_done = await store.deletePlaces(db, limiter, places).then(
      () => true,
      () => false,
    );
    if (is_done) pause_ms = pause_ms_min;
    const now = clock.now();
    for (const { holder, over_at } of places) {
      // One whose time is over is free by itself, and the sweep counts it no more.
      if (is_done || over_at <= now) owed.delete(holder);
    }
    cancelRetry = undefined;
    retryLater();
  }

  function giveBack(place: Held): void {
    const { key } = place;
    const deleted = store.deletePlaces(db, limiter, [place]).catch(() => oweBack(place));
    const returned = Promise.all([returning.get(key), deleted]).then(() => {
      if (returning.get(key) === returned) returning.delete(key);
    });
    returning.set(key, returned);
  }

  /** Whether the slot of `place` was taken, or undefined if no slot of any key can be. */
  async function takeSlot(place: Held, now: number): Promise<boolean | undefined> {
    const attempt = { ...place, places_max, now };
    try {
      let taken = await store.takePlace(db, attempt);
      if (!taken) {
        // The first of all, or PostgreSQL crashed and has emptied the tables.
        await store.insertTotal(db, limiter);
        taken = await store.takePlace(db, attempt);
      }
      if (taken?.was_taken) return true;
      return taken?.has_room ? false : undefined;
    } catch (error) {
      oweBack(place);
      throw error;
    }
  }

  return {
    async take(key) {
      await returning.get(key);
      const holder = await newHolder();
      const now = clock.now();
      const over_at = now + hold_max_ms;
      for (let slot = 1; slot <= key_places_max; slot += 1) {
        const place = { limiter, key, slot, holder, over_at };
        const was_taken = await takeSlot(place, now);
        if (was_taken === undefined) return undefined;
        if (!was_taken) continue;
        let is_held = true;
        return () => {
          if (is_held) giveBack(place);
          is_held = false;
        };
      }
      return undefined;
    },
    sweep: async () => (await store.sweepPlaces(db, limiter, clock.now())) >= store.swept_rows_max,
    keyCount: () => 0,
    close() {
      is_closed = true;
      cancelRetry?.();
    },
  };
}
