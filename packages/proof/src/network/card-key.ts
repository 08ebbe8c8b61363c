import { decodeBase64, decodeBase64Url } from '../base64.ts';
import { checkPublicKey, type KeyFault } from '../ed25519.ts';

const key_bytes = 32;
const signature_bytes = 64;

/**
 * Reads the key of a card: base64url without padding of a canonical point that is not of small order.
 * Answers its 32 bytes, or why there are none.
 *
 * @see network D-NET-18
 */
export function decodeCardKey(text: string): { key: Uint8Array } | { fault: KeyFault } {
  const key = decodeBase64Url(text, key_bytes);
  return key === undefined ? { fault: 'not-base64' } : checkPublicKey(key);
}

/**
 * Reads a signature of the network: 64 bytes in base64url without padding or standard base64 with it,
 * each in its one spelling; or `undefined`.
 *
 * @see network D-NET-26
 */
export function decodeCardSignature(text: string): Uint8Array | undefined {
  return decodeBase64Url(text, signature_bytes) ?? decodeBase64(text, signature_bytes);
}
