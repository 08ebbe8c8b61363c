import { decodePublicKey, decodeSignature, verifySignature } from '../ed25519.ts';
import { sha256Hex } from '../sha256.ts';
import { hashHolds } from './hash-holds.ts';
import type { Message } from './message.ts';
import { signedText } from './signed-text.ts';

/**
 * What is wrong with a message by itself: `hash` if its own hash does not hold, `signature` if it is
 * signed and the signature is not of `pubkey` (base64, as its author registered it). A message without
 * a signature, or of an author without a key, is only held to its hash.
 *
 * @see korova §9, §10
 */
export function messageFault(
  message: Message,
  pubkey: string | null,
): 'hash' | 'signature' | undefined {
  if (!hashHolds(message)) return 'hash';
  const { room, content_type, reply_to, signature } = message;
  if (signature === null || pubkey === null) return undefined;
  const key = decodePublicKey(pubkey);
  const signature_bytes = decodeSignature(signature);
  if ('fault' in key || !signature_bytes) return 'signature';
  const body_sha256 = sha256Hex(message.body);
  const text = signedText({ room, content_type, reply_to, body_sha256 });
  const holds = verifySignature({ key: key.key, message: text, signature: signature_bytes });
  return holds ? undefined : 'signature';
}
