import type { Clock } from '../clock.ts';
import type { Db } from '../storage/storage.ts';
import { bucketAnswer, fillTime, fullAtAfter, unitsAt } from './bucket-units.ts';
import type { Bucket, BucketSpec, Swept } from './limits.ts';
import * as store from './limits-store.ts';

/** Token buckets that all processes on one PostgreSQL share. */
export function sharedBucket(spec: BucketSpec, db: Db, clock: Clock): Bucket & Swept {
  const { name: limiter } = spec;
  return {
    async take(key, units = 1) {
      const now = clock.now();
      const cost_ms = fullAtAfter(spec, 0, 0, units);
      const fill_ms = fillTime(spec);
      const attempt = { limiter, key, now, cost_ms, fill_ms };
      const { full_at, was_taken } = await store.takeFromBucket(db, attempt);
      return bucketAnswer(spec, was_taken ? full_at : full_at + cost_ms, now);
    },
    async peek(key) {
      const bucket = await store.findBucket(db, limiter, key);
      return unitsAt(spec, bucket?.full_at ?? 0, clock.now());
    },
    reset: (key) => store.deleteBucket(db, limiter, key),
    sweep: async () => (await store.sweepBuckets(db, limiter, clock.now())) >= store.swept_rows_max,
    keyCount: () => 0,
  };
}
