import { sha256 } from './sha256.ts';
import { utf8Bytes } from './utf8-bytes.ts';

/**
 * How many zero bits a digest starts with, most significant bit first.
 *
 * @see korova section 4
 */
export function leadingZeroBits(digest: Uint8Array): number {
  let bits = 0;
  for (const byte of digest) {
    if (byte !== 0) return bits + Math.clz32(byte) - 24;
    bits += 8;
  }
  return bits;
}

/**
 * Whether SHA-256 over the UTF-8 of `prefix` and `nonce`, without anything between them, starts
 * with at least `bits` zero bits. What a nonce may be made of is the asking protocol's rule.
 *
 * @throws TypeError when either text holds a lone surrogate.
 * @see korova section 4
 */
export function meetsDifficulty(work: { prefix: string; nonce: string; bits: number }): boolean {
  return leadingZeroBits(sha256(work.prefix + work.nonce)) >= work.bits;
}

/** SHA-256 over the UTF-8 of a well-formed text, as lowercase hex: a faster one than ours, where there is one. */
export type HashHex = (text: string) => string;

/**
 * Checks many nonces of one proof of work, as `meetsDifficulty` does one.
 *
 * @throws RangeError when `bits` is no integer from 0 to 64; TypeError when the prefix holds a lone surrogate.
 * @see korova section 4
 */
export function difficultyCheck(work: {
  prefix: string;
  bits: number;
  hashHex?: HashHex | undefined;
}): (nonce: string) => boolean {
  const { prefix, bits, hashHex } = work;
  if (!Number.isInteger(bits) || bits < 0 || bits > 64) {
    throw new RangeError('bits is no integer from 0 to 64');
  }
  utf8Bytes(prefix);
  if (hashHex === undefined) return (nonce) => meetsDifficulty({ prefix, nonce, bits });
  const zeros = '0'.repeat(bits >> 2);
  const digit_max = 15 >> (bits & 3);
  return (nonce) => {
    const digest = hashHex(prefix + nonce);
    return (
      digest.startsWith(zeros) && Number.parseInt(digest.charAt(zeros.length), 16) <= digit_max
    );
  };
}

/**
 * The first decimal counter, from `start` (0 if left out) on, that meets the difficulty as a nonce.
 * Takes 2^bits hashes on average and does not yield: 20 bits are about a second with a fast `hashHex`, and
 * several without.
 *
 * @throws RangeError when `bits` is no integer from 0 to 64, or `start` no integer from 0 on;
 *   TypeError when the prefix holds a lone surrogate.
 * @see korova section 4
 */
export function solveProofOfWork(work: {
  prefix: string;
  bits: number;
  start?: number;
  hashHex?: HashHex | undefined;
}): string {
  const { start = 0 } = work;
  const meets = difficultyCheck(work);
  if (!Number.isSafeInteger(start) || start < 0) {
    throw new RangeError('start is no integer from 0 on');
  }
  for (let counter = start; ; counter += 1) {
    const nonce = String(counter);
    if (meets(nonce)) return nonce;
  }
}
