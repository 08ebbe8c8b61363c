import type { Clock } from '../clock.ts';
import type { SlidingWindow, Swept, Taken, WindowSpec } from './limits.ts';
import { RankedKeys } from './ranked-keys.ts';

/** Counters in memory, as the instants of what passed; `openLimits` says what happens at the bound. */
export function memoryWindow(spec: WindowSpec, clock: Clock): SlidingWindow & Swept {
  const { limit, window_ms, keys_max } = spec;
  const passed = new RankedKeys<number[]>();
  /** At least as many and as late as those of any displaced key: no unknown key can be worse off. */
  let displaced: number[] = [];

  /** Takes out what lies before the window, and no longer counts; answers how much does. */
  function dropOver(instants: number[], now: number): number {
    let over = 0;
    while ((instants[over] ?? now) <= now - window_ms) over += 1;
    if (over > 0) instants.splice(0, over);
    return instants.length;
  }

  const isOver = (instants: readonly number[], now: number) =>
    (instants.at(-1) ?? 0) <= now - window_ms;

  function keep(key: string, instants: number[], now: number): void {
    if (passed.size >= keys_max && passed.get(key) === undefined) {
      const lowest = passed.takeLowest() ?? [];
      dropOver(lowest, now);
      displaced = latest(displaced, lowest);
    }
    passed.put(key, instants, instants.length);
  }

  /** What an attempt is answered now, by the instants of its key or of who was displaced. */
  function judge(instants: number[], now: number): Taken {
    const count = dropOver(instants, now);
    if (count < limit) return { ok: true, remaining: limit - count - 1 };
    const oldest = instants[count - limit] ?? now;
    return { ok: false, retry_after_ms: oldest + window_ms - now };
  }

  return {
    async count(key) {
      const now = clock.now();
      const known = passed.get(key);
      const taken = judge(known ?? displaced, now);
      if (!taken.ok) return taken;
      if (known) known.push(now);
      keep(key, known ?? [...displaced, now], now);
      return taken;
    },
    look: async (key) => judge(passed.get(key) ?? displaced, clock.now()),
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
