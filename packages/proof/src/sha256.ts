import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { utf8Bytes } from './utf8-bytes.ts';

/**
 * SHA-256 of bytes, or of the UTF-8 of a text: 32 bytes.
 *
 * @throws TypeError when a text holds a lone surrogate.
 * @see FIPS 180-4 section 6.2
 */
export function sha256(data: Uint8Array | string): Uint8Array {
  return nobleSha256(typeof data === 'string' ? utf8Bytes(data) : data);
}

/**
 * SHA-256 of bytes, or of the UTF-8 of a text, as 64 lowercase hex digits.
 *
 * @throws TypeError when a text holds a lone surrogate.
 */
export function sha256Hex(data: Uint8Array | string): string {
  return bytesToHex(sha256(data));
}
