import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { promisify } from 'node:util';
import { BoundedMap } from './bounded-map.ts';

const verifyOnThread = promisify(verify);

/** What stands before the 32 bytes of an Ed25519 key in its DER form (RFC 8410). */
const spki_prefix = Buffer.from('302a300506032b6570032100', 'hex');

const key_bytes = 32;
const signature_bytes = 64;

export type SignatureClaim = {
  /** 32 bytes. */
  public_key: Uint8Array;
  /** Bytes, or the UTF-8 of a text. */
  message: Uint8Array | string;
  /** 64 bytes. */
  signature: Uint8Array;
};

/** Verifies Ed25519 signatures on the thread pool, so that the event loop goes on meanwhile. */
export type Signatures = {
  /**
   * Whether `signature` over `message` is of `public_key`; false for keys and signatures of another
   * length. The equation is checked without cofactor, with S below the group order. Whether the key is a
   * canonical point that is not of small order is not looked at: OpenSSL would take a signature by an
   * all-zero-but-one key for any message. Check it with proof's `decodePublicKey` when a key is
   * registered.
   *
   * Rejects with a TypeError when a text holds a lone surrogate.
   * @see RFC 8032 section 5.1.7
   */
  verify(claim: SignatureClaim): Promise<boolean>;
};

/** A verifier that remembers the `keys_max` keys used last. */
export function openSignatures({ keys_max }: { keys_max: number }): Signatures {
  const keys = new BoundedMap<KeyObject>(keys_max);

  function keyObject(public_key: Uint8Array): KeyObject {
    const name = Buffer.from(public_key).toString('latin1');
    const known = keys.get(name);
    const key =
      known ??
      createPublicKey({
        key: Buffer.concat([spki_prefix, public_key]),
        format: 'der',
        type: 'spki',
      });
    // Put last, so that the first is the one that went unused for longest.
    keys.delete(name);
    keys.set(name, key);
    return key;
  }

  return {
    async verify({ public_key, message, signature }) {
      if (public_key.length !== key_bytes || signature.length !== signature_bytes) return false;
      if (typeof message === 'string' && !message.isWellFormed()) {
        throw new TypeError('a text with a lone surrogate has no UTF-8');
      }
      const bytes = typeof message === 'string' ? Buffer.from(message) : message;
      return await verifyOnThread(null, bytes, keyObject(public_key), signature);
    },
  };
}
