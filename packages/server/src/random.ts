import { randomFillSync, randomInt } from 'node:crypto';

/** The house's only source of chance. */
export type Random = {
  /** `length` octets that nobody can guess. */
  bytes(length: number): Buffer;
  /** A whole number from 0 up to, not including, `bound` (at most 2^48). */
  below(bound: number): number;
};

/** Asking the operating system takes longer than anything that is made of the answer, so it is asked for many at once. */
const pool_octets = 4_096;
/** Who needs more asks for its own. */
const pooled_octets_max = 64;

const pool = Buffer.alloc(pool_octets);
let pool_at = pool_octets;

function takePooled(length: number): Buffer {
  if (pool_at + length > pool_octets) {
    randomFillSync(pool);
    pool_at = 0;
  }
  const taken = Buffer.from(pool.subarray(pool_at, pool_at + length));
  // What was given out stays with whom it was given to.
  pool.fill(0, pool_at, pool_at + length);
  pool_at += length;
  return taken;
}

/** The operating system's randomness. */
export const system_random: Random = {
  bytes: (length) =>
    length <= pooled_octets_max ? takePooled(length) : randomFillSync(Buffer.alloc(length)),
  below: (bound) => randomInt(bound),
};
