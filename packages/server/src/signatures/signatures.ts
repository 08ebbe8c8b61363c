import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { promisify } from 'node:util';
import { BoundedMap } from '../bounded-map.ts';
import { VerifyThread } from './verify-thread.ts';

const verifyOnPool = promisify(verify);

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

/** Signatures under way at once from which on a thread of their own is worth its start. */
const busy_claims_min = 8;

/** As many as the thread is given at once; on a machine with more processors the pool verifies beside it. */
const thread_claims_max = 64;

/** Verifies Ed25519 signatures on other threads, so that the event loop goes on meanwhile. */
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
  /** Ends the thread that it has started; what is under way is answered still. */
  close(): Promise<void>;
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

  let under_way = 0;
  let thread: VerifyThread | undefined;

  /** The thread that takes another claim, once there are enough of them. */
  function freeThread(): VerifyThread | undefined {
    if (under_way >= busy_claims_min) thread ??= new VerifyThread();
    return thread && thread.claims_count < thread_claims_max ? thread : undefined;
  }

  return {
    async verify({ public_key, message, signature }) {
      if (public_key.length !== key_bytes || signature.length !== signature_bytes) return false;
      if (typeof message === 'string' && !message.isWellFormed()) {
        throw new TypeError('a text with a lone surrogate has no UTF-8');
      }
      const bytes = typeof message === 'string' ? Buffer.from(message) : message;
      under_way += 1;
      try {
        // OpenSSL has the say: what libsodium takes it takes as well, and what libsodium refuses it is asked about.
        if (await freeThread()?.verify({ public_key, message: bytes, signature })) return true;
        return await verifyOnPool(null, bytes, keyObject(public_key), signature);
      } finally {
        under_way -= 1;
      }
    },
    close: async () => thread?.close(),
  };
}
