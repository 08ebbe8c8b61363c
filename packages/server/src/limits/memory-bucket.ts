import type { Clock } from '../clock.ts';
import { bucketAnswer, fillTime, fullAtAfter, unitsAt } from './bucket-units.ts';
import type { Bucket, BucketSpec, Swept } from './limits.ts';
import { RankedKeys } from './ranked-keys.ts';

/** Buckets are told apart by how full they are in so many steps when one must go. */
const ranks_max = 64;

/** Token buckets in memory; `openLimits` says what happens at the bound. */
export function memoryBucket(spec: BucketSpec, clock: Clock): Bucket & Swept {
  const full_ats = new RankedKeys<number>();
  const rank_ms = Math.max(spec.refill_ms_per_unit, fillTime(spec) / ranks_max);
  /** When the last one of the displaced buckets will be full: no unknown key can be worse off. */
  let displaced_full_at = 0;

  const fullAt = (key: string) => full_ats.get(key) ?? displaced_full_at;

  function keep(key: string, full_at: number): void {
    if (full_ats.size >= spec.keys_max && full_ats.get(key) === undefined) {
      displaced_full_at = Math.max(displaced_full_at, full_ats.takeLowest() ?? 0);
    }
    full_ats.put(key, full_at, Math.floor(full_at / rank_ms));
  }

  return {
    async take(key, units = 1) {
      const now = clock.now();
      const full_at = fullAtAfter(spec, fullAt(key), now, units);
      const answer = bucketAnswer(spec, full_at, now);
      if (answer.ok) keep(key, full_at);
      return answer;
    },
    async peek(key) {
      return unitsAt(spec, fullAt(key), clock.now());
    },
    async reset(key) {
      const now = clock.now();
      if (displaced_full_at <= now) full_ats.delete(key);
      // Forgotten, it would count as one of the displaced.
      else keep(key, now);
    },
    sweep() {
      const now = clock.now();
      return displaced_full_at > now ? false : full_ats.sweep((full_at) => full_at <= now);
    },
    keyCount: () => full_ats.size,
  };
}
