import type { Clock } from '../clock.ts';
import type { Storage } from '../storage/storage.ts';
import { memoryBucket } from './memory-bucket.ts';
import { memoryPlaces } from './memory-places.ts';
import { memoryWindow } from './memory-window.ts';
import { sharedBucket } from './shared-bucket.ts';
import { sharedPlaces } from './shared-places.ts';
import { sharedWindow } from './shared-window.ts';

/** Whether an attempt may go on, and if not, after how many milliseconds the same attempt passes. */
export type Taken = { ok: true; remaining: number } | { ok: false; retry_after_ms: number };

export type BucketSpec = {
  /** Unique in the house, such as `bar-writes-member`. */
  name: string;
  /** Units of a full bucket. */
  capacity: number;
  /** A whole number of milliseconds in which one unit comes back. */
  refill_ms_per_unit: number;
  /** Keys kept in memory. */
  keys_max: number;
};

export type WindowSpec = {
  /** Unique in the house, such as `forum-reads`. */
  name: string;
  /** Attempts that pass within the window. */
  limit: number;
  /** Under ten minutes: longer counts are made from stored rows, so that they outlive a restart. */
  window_ms: number;
  /** Keys kept in memory, with up to `limit` instants of 8 bytes each. */
  keys_max: number;
};

/** Token buckets, one for each key: full at the start, refilled continuously. */
export type Bucket = {
  /** Takes `units` (1 to the capacity) if there are as many, and none otherwise. */
  take(key: string, units?: number): Promise<Taken>;
  /** The whole units that are there now. */
  peek(key: string): Promise<number>;
  /** Fills the bucket. */
  reset(key: string): Promise<void>;
};

/**
 * Counters of the last `window_ms`, one for each key, exact: an attempt passes if fewer than `limit`
 * passed less than `window_ms` ago, so that exactly `window_ms` after the first a place is free. Refused
 * attempts do not count.
 */
export type SlidingWindow = {
  count(key: string): Promise<Taken>;
  /** What `count` would answer now; counts nothing. For limits on what is known to count only afterwards. */
  look(key: string): Promise<Taken>;
};

export type PlacesSpec = {
  /** Unique in the house, such as `bar-waits`. */
  name: string;
  /** Places that one key holds at once. */
  key_places_max: number;
  /** Places that are held at once, over all keys. */
  places_max: number;
  /** For so long a place is held at most; one whose process died is free again after that. */
  hold_max_ms: number;
};

/** Things that only so many may do at once, such as waiting. */
export type Places = {
  /** Takes a place for `key`; answers what gives it back, or undefined if there is none. */
  take(key: string): Promise<(() => void) | undefined>;
};

/** A limiter as its keeper sees it. */
export type Swept = {
  /** Forgets keys that are as if they had never come; true if some may be left for a next time. */
  sweep(): boolean | Promise<boolean>;
  /** Keys kept in this process. */
  keyCount(): number;
  /** Ends what the limiter does by itself. */
  close?(): void;
};

/** Limits on how often something may happen, by key: an address, an agent, a recipient. */
export type Limits = {
  bucket(spec: BucketSpec): Bucket;
  window(spec: WindowSpec): SlidingWindow;
  places(spec: PlacesSpec): Places;
  /** Keys kept in this process, over all limiters. */
  keyCount(): number;
  close(): void;
};

const sweep_interval_ms = 10_000;
/** So soon after a sweep that left some. */
const sweep_again_ms = 100;

/**
 * The limits of a house: in memory on SQLite, which one process has to itself, and on PostgreSQL in
 * tables that all processes share, with one statement for each attempt (`limits_migrations`). Neither
 * outlives its server: the tables are unlogged, and empty after a crash of PostgreSQL.
 *
 * In memory a limiter keeps at most `keys_max` keys. Whoever comes when it is full displaces a key of
 * those that have used least, and unknown keys count from then on as if they had used what the displaced
 * one had. So nobody ever gets more than the limit allows, however many addresses come in between: what a
 * key has used is forgotten only when all others have used as much, and then unknown keys have it on
 * their account too. The price is paid by newcomers while such a flood lasts, who start with that little
 * less; they are refused altogether only when `keys_max` keys are used up at once. Known keys notice
 * nothing.
 *
 * In PostgreSQL the rows of a flood stay until they are as if they had never come, then are swept.
 */
export function openLimits({ storage, clock }: { storage: Storage; clock: Clock }): Limits {
  const { direct } = storage;
  const names = new Set<string>();
  const limiters: Swept[] = [];
  let is_closed = false;

  async function sweep(): Promise<void> {
    cancelSweep = sweepAfter(sweep_interval_ms);
    // A sweep that fails, such as one that does not reach the database, is made up by the next.
    const leftovers = await Promise.all(limiters.map(async (limiter) => limiter.sweep())).catch(
      () => [false],
    );
    if (is_closed || !leftovers.includes(true)) return;
    cancelSweep();
    cancelSweep = sweepAfter(sweep_again_ms);
  }
  const sweepAfter = (delay_ms: number) => clock.after(delay_ms, () => void sweep());
  let cancelSweep = sweepAfter(sweep_interval_ms);

  function add<Limiter extends Swept>(name: string, numbers: readonly number[], limiter: Limiter) {
    if (names.has(name)) throw new Error(`there are two limits with the name ${name}`);
    if (!numbers.every((number) => Number.isSafeInteger(number) && number > 0)) {
      throw new RangeError(`the numbers of the limit ${name} must be whole and positive`);
    }
    names.add(name);
    limiters.push(limiter);
    return limiter;
  }

  return {
    bucket: (spec) =>
      add(
        spec.name,
        [spec.capacity, spec.refill_ms_per_unit, spec.keys_max],
        direct ? sharedBucket(spec, direct, clock) : memoryBucket(spec, clock),
      ),
    window: (spec) =>
      add(
        spec.name,
        [spec.limit, spec.window_ms, spec.keys_max],
        direct ? sharedWindow(spec, direct, clock) : memoryWindow(spec, clock),
      ),
    places: (spec) =>
      add(
        spec.name,
        [spec.key_places_max, spec.hold_max_ms],
        direct ? sharedPlaces(spec, direct, clock) : memoryPlaces(spec),
      ),
    keyCount: () => limiters.reduce((sum, limiter) => sum + limiter.keyCount(), 0),
    close() {
      is_closed = true;
      cancelSweep();
      for (const limiter of limiters) limiter.close?.();
    },
  };
}
