import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToNumberLE, concatBytes, equalBytes } from '@noble/curves/utils.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { decodeBase64 } from './base64.ts';
import { sha256Hex } from './sha256.ts';
import { utf8Bytes } from './utf8-bytes.ts';

const { Point } = ed25519;
const group_order = Point.Fn.ORDER;

type CurvePoint = ReturnType<typeof Point.fromBytes>;

/** Why a text is no public key that may sign. */
export type KeyFault = 'not-base64' | 'not-a-point' | 'small-order';

/**
 * Reads a public key: the canonical base64 of the canonical encoding of a point of edwards25519
 * that is not of small order. Answers its 32 bytes, or why there are none.
 *
 * Small order is refused because common verifiers accept a signature that anybody can make for
 * each of the 14 encodings of the eight points whose order divides 8; an encoding is canonical
 * when y < 2^255 - 19 and no sign bit stands on x = 0.
 *
 * @see guestbook §Identity (D-BOOK-05, D-BOOK-06), RFC 8032 section 5.1.3
 */
export function decodePublicKey(text: string): { key: Uint8Array } | { fault: KeyFault } {
  const key = decodeBase64(text, 32);
  return key === undefined ? { fault: 'not-base64' } : checkPublicKey(key);
}

/** Whether 32 bytes are a key that may sign, as `decodePublicKey` says; answers them, or why they are none. */
export function checkPublicKey(key: Uint8Array): { key: Uint8Array } | { fault: KeyFault } {
  const point = decodePoint(key);
  if (point !== undefined) return point.isSmallOrder() ? { fault: 'small-order' } : { key };
  // Six of the 14 are not canonical: only a lenient reading tells them from mere noise.
  const is_small = decodePoint(key, { lenient: true })?.isSmallOrder() ?? false;
  return { fault: is_small ? 'small-order' : 'not-a-point' };
}

/** Reads a signature: the 64 bytes of canonical base64, or `undefined`. */
export function decodeSignature(text: string): Uint8Array | undefined {
  return decodeBase64(text, 64);
}

/**
 * Whether `signature` (64 bytes) over `message` (bytes, or the UTF-8 of a text) is of `key` (32
 * bytes). The equation is checked without cofactor, byte for byte and with S below the group
 * order, as OpenSSL does: a verifier with cofactor accepts signatures that most others refuse.
 * Never true for a key that `decodePublicKey` refuses, nor for keys or signatures of another length.
 *
 * @throws TypeError when a text holds a lone surrogate.
 * @see RFC 8032 section 5.1.7
 */
export function verifySignature(claim: {
  key: Uint8Array;
  message: Uint8Array | string;
  signature: Uint8Array;
}): boolean {
  const { key, signature } = claim;
  const message = bytesOf(claim.message);
  if (key.length !== 32 || signature.length !== 64) return false;
  const point = decodePoint(key);
  if (point === undefined || point.isSmallOrder()) return false;
  const r = signature.subarray(0, 32);
  const s = bytesToNumberLE(signature.subarray(32));
  if (s >= group_order) return false;
  const k = bytesToNumberLE(sha512(concatBytes(r, key, message))) % group_order;
  const r_expected = Point.BASE.multiplyUnsafe(s).subtract(point.multiplyUnsafe(k));
  return equalBytes(r_expected.toBytes(), r);
}

/**
 * The 64-byte signature over `message` (bytes, or the UTF-8 of a text) by the key of a 32-byte seed.
 *
 * @throws RangeError when the seed is not 32 bytes; TypeError when a text holds a lone surrogate.
 * @see RFC 8032 section 5.1.6
 */
export function sign(what: { seed: Uint8Array; message: Uint8Array | string }): Uint8Array {
  return ed25519.sign(bytesOf(what.message), what.seed);
}

/**
 * The 32-byte public key of a 32-byte seed.
 *
 * @throws RangeError when the seed is not 32 bytes.
 * @see RFC 8032 section 5.1.5
 */
export function publicKeyOf(seed: Uint8Array): Uint8Array {
  return ed25519.getPublicKey(seed);
}

/**
 * The fingerprint of a 32-byte public key: its SHA-256 as 64 lowercase hex digits.
 *
 * @see guestbook §Identity
 */
export function fingerprintOf(public_key: Uint8Array): string {
  return sha256Hex(public_key);
}

function bytesOf(message: Uint8Array | string): Uint8Array {
  return typeof message === 'string' ? utf8Bytes(message) : message;
}

function decodePoint(bytes: Uint8Array, { lenient = false } = {}): CurvePoint | undefined {
  try {
    return Point.fromBytes(bytes, lenient);
  } catch {
    return undefined;
  }
}
