import { randomBytes, randomInt } from 'node:crypto';

/** The house's only source of chance. */
export type Random = {
  /** `length` octets that nobody can guess. */
  bytes(length: number): Buffer;
  /** A whole number from 0 up to, not including, `bound` (at most 2^48). */
  below(bound: number): number;
};

/** The operating system's randomness. */
export const system_random: Random = {
  bytes: (length) => randomBytes(length),
  below: (bound) => randomInt(bound),
};
