import { encodeBase64, utf8Bytes } from '@stoa/proof';
import { readBase64, readJsonObject, readText } from './encrypted-json.ts';
import type { RoomKey } from './room-key.ts';
import { loadSodium } from './sodium.ts';
import { UndecipherableError } from './undecipherable-error.ts';

const algorithm = 'xchacha20poly1305-ietf';
const nonce_bytes = 24;

/** What is encrypted: a message's content type and body. */
export type PlainMessage = { readonly content_type: string; readonly body: string };

/**
 * Encrypts a message with its room's key: the body of an `application/x-korova-e2e` message. The slug
 * is bound in, so that a text cannot be carried to another room.
 *
 * @param nonce 24 bytes, drawn if left out; one that is used twice under a key gives both texts away
 * @throws TypeError when a text holds a lone surrogate.
 * @see korova §12
 */
export async function encryptMessage(
  room_key: RoomKey,
  { content_type, body }: PlainMessage,
  nonce?: Uint8Array,
): Promise<string> {
  const sodium = await loadSodium();
  const { room, key_id, key } = room_key;
  const public_nonce = nonce ?? sodium.randombytes_buf(nonce_bytes);
  const plain = utf8Bytes(JSON.stringify({ content_type, body: wellFormed(body) }));
  const ct = sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(
    plain,
    utf8Bytes(room),
    null,
    public_nonce,
    key,
  );
  const envelope = {
    v: 1,
    alg: algorithm,
    key_id,
    nonce: encodeBase64(public_nonce),
    ct: encodeBase64(ct),
  };
  return encodeBase64(utf8Bytes(JSON.stringify(envelope)));
}

/**
 * Decrypts the body of an `application/x-korova-e2e` message of `room` with the one of `keys` that it
 * names.
 *
 * @throws UndecipherableError
 * @see korova §12
 */
export async function decryptMessage(
  message: { readonly room: string; readonly body: string },
  keys: Iterable<RoomKey>,
): Promise<PlainMessage> {
  const { room, body } = message;
  const envelope = readJsonObject(readBase64(body, 'the body'));
  if (envelope.v !== 1 || envelope.alg !== algorithm) {
    throw new UndecipherableError('form', `only version 1 with ${algorithm} is known`);
  }
  const key_id = readText(envelope.key_id, 'key_id');
  const nonce = readBase64(envelope.nonce, 'nonce', nonce_bytes);
  const ct = readBase64(envelope.ct, 'ct');
  const at_hand = [...keys].filter((one) => one.room === room && one.key_id === key_id);
  if (at_hand.length === 0)
    throw new UndecipherableError('key', `the key ${key_id} is not at hand`);
  const sodium = await loadSodium();
  for (const { key } of at_hand) {
    let plain: Uint8Array;
    try {
      plain = sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(
        null,
        ct,
        utf8Bytes(room),
        nonce,
        key,
      );
    } catch {
      // A key_id is no more than a name, and two keys may bear the same.
      continue;
    }
    const said = readJsonObject(plain);
    return {
      content_type: readText(said.content_type, 'content_type'),
      body: readText(said.body, 'body'),
    };
  }
  throw new UndecipherableError('tampered', 'the text does not decrypt in this room');
}

function wellFormed(text: string): string {
  // JSON would write a lone surrogate as an escape, and the reader would get what no room may hold.
  if (!text.isWellFormed()) throw new TypeError('the text holds a lone surrogate');
  return text;
}
