import type { BucketSpec, Taken } from './limits.ts';

/**
 * A bucket is the instant at which it will be full: each unit taken moves it on by
 * `refill_ms_per_unit`, from now if it lies in the past.
 */
export function fullAtAfter(spec: BucketSpec, full_at: number, now: number, units: number): number {
  if (!Number.isSafeInteger(units) || units < 1 || units > spec.capacity) {
    throw new RangeError(`a bucket of ${spec.capacity} units cannot give ${units}`);
  }
  return Math.max(full_at, now) + units * spec.refill_ms_per_unit;
}

/** The longest that a bucket takes to fill. */
export const fillTime = (spec: BucketSpec): number => spec.capacity * spec.refill_ms_per_unit;

/** The whole units of a bucket that will be full at `full_at`. */
export function unitsAt(spec: BucketSpec, full_at: number, now: number): number {
  const missing = Math.max(0, full_at - now) / spec.refill_ms_per_unit;
  return Math.max(0, Math.floor(spec.capacity - missing));
}

/** The answer to an attempt that moved, or would move, the bucket to `full_at`. */
export function bucketAnswer(spec: BucketSpec, full_at: number, now: number): Taken {
  const excess_ms = full_at - now - fillTime(spec);
  if (excess_ms > 0) return { ok: false, retry_after_ms: excess_ms };
  return { ok: true, remaining: unitsAt(spec, full_at, now) };
}
