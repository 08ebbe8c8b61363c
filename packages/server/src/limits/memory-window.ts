import type { Clock } from '../clock.ts';
import type { SlidingWindow, Swept, Taken, WindowSpec } from './limits.ts';
import { RankedKeys } from './ranked-keys.ts';

/** Counters in memory, as the instants of what passed; `openLimits` says what happens at the bound. */
export function memoryWindow(spec: WindowSpec, clock: Clock): SlidingWindow & Swept {
  const { limit, window_ms, keys_max } = spec;
  const passed = new RankedKeys<number[]>();
  /** At least as many and as late as those of any displaced key: no unknown key can be worse off. */
  let displaced: number[] = [];

  /** Those of `instants` that lie within the window, which is all that count. */
  const counted = (instants: number[], now: number) => {
    const start = instants.findIndex((instant) => instant > now - window_ms);
    if (start === 0) return instants;
    return start < 0 ? [] : instants.slice(start);
  };

  const isOver = (instants: readonly number[], now: number) =>
    (instants.at(-1) ?? 0) <= now - window_ms;

  function keep(key: string, instants: number[], now: number): void {
    if (passed.size >= keys_max && passed.get(key) === undefined) {
      displaced = latest(displaced, counted(passed.takeLowest() ?? [], now));
    }
    passed.put(key, instants, instants.length);
  }

  /** What counts of a key now, and what an attempt is answered. */
  function judge(key: string, now: number): { instants: number[]; taken: Taken } {
    displaced = counted(displaced, now);
    const instants = counted(passed.get(key) ?? displaced, now);
    if (instants.length < limit) {
      return { instants, taken: { ok: true, remaining: limit - instants.length - 1 } };
    }
    const oldest = instants[instants.length - limit] ?? now;
    return { instants, taken: { ok: false, retry_after_ms: oldest + window_ms - now } };
  }

  return {
    async count(key) {
      const now = clock.now();
      const { instants, taken } = judge(key, now);
      if (taken.ok) keep(key, [...instants, now], now);
      return taken;
    },
    look: async (key) => judge(key, clock.now()).taken,
    sweep() {
      const now = clock.now();
      return isOver(displaced, now) ? passed.sweep((instants) => isOver(instants, now)) : false;
    },
    keyCount: () => passed.size,
  };
}

/** As long as the longer of two ascending lists, each instant from the end the later of the two. */
function latest(a: readonly number[], b: readonly number[]): number[] {
  const length = Math.max(a.length, b.length);
  return Array.from({ length }, (_, index) =>
    Math.max(a.at(index - length) ?? 0, b.at(index - length) ?? 0),
  );
}
