import { loadSodium } from './sodium.ts';

/** A key that the members of a room share. The key is a secret. */
export type RoomKey = {
  /** slug of the room */
  readonly room: string;
  /** 8 hex digits, by which messages name the key they are encrypted with */
  readonly key_id: string;
  /** 32 bytes */
  readonly key: Uint8Array;
};

/**
 * Makes a key for a room.
 *
 * @see korova §12
 */
export async function makeRoomKey(room: string): Promise<RoomKey> {
  const sodium = await loadSodium();
  const key_id = sodium.to_hex(sodium.randombytes_buf(4));
  return { room, key_id, key: sodium.randombytes_buf(32) };
}
