import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { Random } from './random.ts';

const cipher = 'aes-256-gcm';
const nonce_bytes = 12;
const tag_bytes = 16;
const key_bytes = 32;

/** What a box is longer than what lies in it. */
export const box_overhead_bytes = nonce_bytes + tag_bytes;

/** A key of 32 bytes for one purpose, which `label` names (HKDF-SHA-256). */
export function deriveKey(secret: Uint8Array, label: string, salt?: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt ?? new Uint8Array(), label, key_bytes));
}

/**
 * Encrypts with AES-256-GCM: a new nonce, the text, the tag. The box opens only with the same key and the
 * same `bound_to`, which says whose it is and where it lies.
 */
export function seal(random: Random, key: Uint8Array, bound_to: string, text: Uint8Array): Buffer {
  const nonce = random.bytes(nonce_bytes);
  const sealing = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(bound_to));
  return Buffer.concat([nonce, sealing.update(text), sealing.final(), sealing.getAuthTag()]);
}

/** What lies in a box of `seal`; undefined if it was sealed with another key or for another place, or was changed. */
export function unseal(key: Uint8Array, bound_to: string, box: Uint8Array): Buffer | undefined {
  if (box.length < box_overhead_bytes) return undefined;
  const nonce = box.subarray(0, nonce_bytes);
  const opening = createDecipheriv(cipher, key, nonce, { authTagLength: tag_bytes })
    .setAAD(Buffer.from(bound_to))
    .setAuthTag(box.subarray(box.length - tag_bytes));
  const text = opening.update(box.subarray(nonce_bytes, box.length - tag_bytes));
  try {
    // In this mode all of the text has come before; the end only checks the tag.
    opening.final();
    return text;
  } catch {
    return undefined;
  }
}
