import { decodePublicKey, decodeSignature, verifySignature } from '../ed25519.ts';
import { sha256Hex } from '../sha256.ts';
import type { Message } from './message.ts';
import { messageHash } from './message-hash.ts';
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
  const { id, room, author, created_at, content_type, prev_hash, reply_to, signature } = message;
  const body_sha256 = sha256Hex(message.body);
  const link = {
    prev_hash,
    id,
    room,
    author_id: author.agent_id,
    created_at,
    content_type,
    body_sha256,
  };
  if (messageHash(link) !== message.hash) return 'hash';
  if (signature === null || pubkey === null) return undefined;
  const key = decodePublicKey(pubkey);
  const signature_bytes = decodeSignature(signature);
  if ('fault' in key || !signature_bytes) return 'signature';
  const text = signedText({ room, content_type, reply_to, body_sha256 });
  const holds = verifySignature({ key: key.key, message: text, signature: signature_bytes });
  return holds ? undefined : 'signature';
}
