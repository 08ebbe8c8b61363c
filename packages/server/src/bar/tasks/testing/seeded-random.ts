import { createHash } from 'node:crypto';
import type { Random } from '../../../random.ts';

/** Chance that comes out the same for the same seed, so that a test that fails fails again. */
export function seededRandom(seed: string): Random {
  // Four words of state, drawn on by sfc32; it is fast, which hashing for each number is not.
  const digest = createHash('sha256').update(seed).digest();
  let [a, b, c, counter] = [0, 4, 8, 12].map((at) => digest.readInt32LE(at)) as [
    number,
    number,
    number,
    number,
  ];
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < 12; round += 1) next();
  return {
    bytes: (length) => Buffer.from(Array.from({ length }, () => next() & 0xff)),
    below: (bound) => Math.floor(((next() * 0x10000 + (next() & 0xffff)) / 2 ** 48) * bound),
  };
}
