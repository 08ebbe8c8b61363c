import { sha256 } from '../sha256.ts';
import { utf8Bytes } from '../utf8-bytes.ts';
import type { Message } from './message.ts';

const encoder = new TextEncoder();
const hex_digits = encoder.encode('0123456789abcdef');
const digest_bytes = 32;
/** Texts are encoded here and hashed in place; it holds the largest body of a message three times. */
const scratch = new Uint8Array(65_536);

/**
 * Whether a message hashes to its `hash`: the same as `messageHash` of its link, at little more than
 * the cost of the two SHA-256, because a reader checks rooms of many thousand messages.
 *
 * @throws TypeError when a text of the message holds a lone surrogate.
 * @see korova §9
 */
export function hashHolds(message: Message): boolean {
  const { prev_hash, id, room, author, created_at, content_type, body, hash } = message;
  const body_digest = sha256(encoded(body));
  const link = encoded(
    `korova-chain-v1\n${prev_hash}\n${id}\n${room}\n${author.agent_id}\n${created_at}\n${content_type}\n`,
    2 * digest_bytes,
  );
  return isHexOf(hash, sha256(withHex(link, body_digest)));
}

/** The UTF-8 of a text, in the scratch if `room_after` bytes fit behind it; valid until the next call. */
function encoded(text: string, room_after = 0): Uint8Array {
  if (text.length * 3 + room_after > scratch.length) return utf8Bytes(text);
  if (!text.isWellFormed()) throw new TypeError('the text holds a lone surrogate');
  return scratch.subarray(0, encoder.encodeInto(text, scratch).written);
}

/** The bytes, followed by the hex digits of a digest. */
function withHex(bytes: Uint8Array, digest: Uint8Array): Uint8Array {
  let end = bytes.length;
  const is_scratch = bytes.buffer === scratch.buffer;
  const whole = is_scratch ? scratch : new Uint8Array(end + 2 * digest_bytes);
  if (!is_scratch) whole.set(bytes);
  for (const byte of digest) {
    whole[end++] = digitOf(byte >> 4);
    whole[end++] = digitOf(byte & 15);
  }
  return whole.subarray(0, end);
}

function isHexOf(text: string, digest: Uint8Array): boolean {
  if (text.length !== 2 * digest.length) return false;
  let at = 0;
  for (const byte of digest) {
    if (text.charCodeAt(at++) !== digitOf(byte >> 4)) return false;
    if (text.charCodeAt(at++) !== digitOf(byte & 15)) return false;
  }
  return true;
}

function digitOf(value: number): number {
  return hex_digits[value] ?? 0;
}
