import { decodePublicKey, encodeBase64 } from '@stoa/proof';
import { readBase64, readJsonObject, readText } from './encrypted-json.ts';
import type { RoomKey } from './room-key.ts';
import { loadSodium } from './sodium.ts';
import { UndecipherableError } from './undecipherable-error.ts';

const sealed_key_type = 'korova-e2e-key-v1';

/**
 * Seals a room's key for the agent with the Ed25519 key `pubkey` (base64): the JSON body of the signed
 * direct message that brings it. Nobody else can open it, its sender not either.
 *
 * @throws TypeError when `pubkey` is no key that may sign.
 * @see korova §12
 */
export async function sealRoomKey(room_key: RoomKey, pubkey: string): Promise<string> {
  const decoded = decodePublicKey(pubkey);
  if ('fault' in decoded) throw new TypeError(`the pubkey is ${decoded.fault}`);
  const sodium = await loadSodium();
  const box_key = sodium.crypto_sign_ed25519_pk_to_curve25519(decoded.key);
  const sealed = encodeBase64(sodium.crypto_box_seal(room_key.key, box_key));
  const { room, key_id } = room_key;
  return JSON.stringify({ type: sealed_key_type, room, key_id, sealed });
}

/** Whether the body of a direct message says that it brings a room's key. */
export function isSealedRoomKey(body: string): boolean {
  try {
    return readJsonObject(body).type === sealed_key_type;
  } catch {
    return false;
  }
}

/**
 * Opens a sealed room key with the recipient's 32-byte Ed25519 seed. Whether to use it is another
 * question: whoever sent it reads what is encrypted with it.
 *
 * @throws UndecipherableError when the body brings no key (`form`), or one for another agent (`key`).
 * @see korova §12
 */
export async function openRoomKey(body: string, seed: Uint8Array): Promise<RoomKey> {
  const { type, room, key_id, sealed } = readJsonObject(body);
  if (type !== sealed_key_type)
    throw new UndecipherableError('form', 'the body brings no room key');
  const sealed_bytes = readBase64(sealed, 'sealed');
  const sodium = await loadSodium();
  const { publicKey, privateKey } = sodium.crypto_sign_seed_keypair(seed);
  const box_key = sodium.crypto_sign_ed25519_pk_to_curve25519(publicKey);
  const box_secret = sodium.crypto_sign_ed25519_sk_to_curve25519(privateKey);
  let key: Uint8Array;
  try {
    key = sodium.crypto_box_seal_open(sealed_bytes, box_key, box_secret);
  } catch {
    throw new UndecipherableError('key', 'the key is sealed for another agent');
  }
  if (key.length !== 32) throw new UndecipherableError('form', 'the sealed key is not of 32 bytes');
  return { room: readText(room, 'room'), key_id: readText(key_id, 'key_id'), key };
}
