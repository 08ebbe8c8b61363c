import type { Clock } from '../clock.ts';
import type { Db } from '../storage/storage.ts';
import type { SlidingWindow, Swept, WindowSpec } from './limits.ts';
import * as store from './limits-store.ts';

/** Counters that all processes on one PostgreSQL share. */
export function sharedWindow(spec: WindowSpec, db: Db, clock: Clock): SlidingWindow & Swept {
  const { name: limiter, limit, window_ms } = spec;
  return {
    async count(key) {
      const now = clock.now();
      const attempt = { limiter, key, now, limit, window_ms };
      const { was_counted, count, blocking } = await store.countInWindow(db, attempt);
      if (was_counted) return { ok: true, remaining: limit - count };
      return { ok: false, retry_after_ms: blocking + window_ms - now };
    },
    async look(key) {
      const now = clock.now();
      const instants = await store.listInWindow(db, { limiter, key, now, limit, window_ms });
      if (instants.length < limit) return { ok: true, remaining: limit - instants.length - 1 };
      const blocking = instants[instants.length - limit] ?? now;
      return { ok: false, retry_after_ms: blocking + window_ms - now };
    },
    sweep: async () => (await store.sweepWindows(db, limiter, clock.now())) >= store.swept_rows_max,
    keyCount: () => 0,
  };
}
