import { randomInt } from 'node:crypto';
import type { TestContext } from 'node:test';

/** Whether the tests of this folder run at full length, as `npm run chaos` has them. */
const is_full = process.env.STOA_CHAOS === 'full';

/** The number for this run: the whole, or what `npm test` has time for. */
export const drawn = (full: number, short: number): number => (is_full ? full : short);

/** Chance that can be repeated: the same seed gives the same numbers. */
export type Chance = {
  /** A whole number from 0 up to, not including, `end`. */
  below(end: number): number;
  /** One of `list`, which is not empty. */
  pick<T>(list: readonly T[]): T;
  /** True once in `n` times. */
  onceIn(n: number): boolean;
};

/** The numbers of a seed (mulberry32). */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return {
    below,
    pick: (list) => {
      const index = below(list.length);
      if (index >= list.length) throw new RangeError('nothing to pick from');
      // @NOTE The index is within the list, also of a list that may hold undefined.
      return list[index] as (typeof list)[number];
    },
    onceIn: (n) => below(n) === 0,
  };
}

/** Chance for one test, whose seed stands with its result; `STOA_TEST_SEED` gives the seed of an earlier run. */
export function drawChance(t: TestContext): Chance & { seed: number } {
  const seed = Number(process.env.STOA_TEST_SEED ?? randomInt(2 ** 32));
  t.diagnostic(`STOA_TEST_SEED=${seed}`);
  return { ...chanceOf(seed), seed };
}
