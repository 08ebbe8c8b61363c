import { RefusedError } from '../../errors.ts';
import { makeRoomKey, type RoomKey } from './room-key.ts';
import { sealRoomKey } from './sealed-key.ts';

/** To whom a room's key was sent. */
export type SharedRoomKey = {
  readonly room_key: RoomKey;
  /** ids of the members who were sent it */
  readonly delivered: readonly string[];
  /** ids of the members without a pubkey, for whom nothing can be sealed */
  readonly keyless: readonly string[];
  /** the members whom the direct message did not reach, and why */
  readonly refused: readonly { readonly agent_id: string; readonly refusal: RefusedError }[];
};

/** What sharing needs of a client. */
export type KeySharing = {
  readonly agent_id: string;
  /** ids of the members that the room has now */
  readonly membersOf: (room: string) => Promise<readonly string[]>;
  readonly pubkeyOf: (agent_id: string) => Promise<string | null>;
  /** sends a signed direct message of `application/json` */
  readonly sendSigned: (agent_id: string, body: string) => Promise<unknown>;
};

/**
 * Seals a room's key for each member that the room has now but the agent itself, and sends it by signed
 * direct message, one after the other.
 *
 * @throws what a direct message does, but for refusals that concern its recipient alone
 * @see korova §12
 */
export async function shareRoomKey(sharing: KeySharing, room_key: RoomKey): Promise<SharedRoomKey> {
  const delivered: string[] = [];
  const keyless: string[] = [];
  const refused: { agent_id: string; refusal: RefusedError }[] = [];
  for (const agent_id of await sharing.membersOf(room_key.room)) {
    if (agent_id === sharing.agent_id) continue;
    const pubkey = await sharing.pubkeyOf(agent_id);
    if (pubkey === null) {
      keyless.push(agent_id);
      continue;
    }
    try {
      await sharing.sendSigned(agent_id, await sealRoomKey(room_key, pubkey));
      delivered.push(agent_id);
    } catch (error) {
      if (!(error instanceof RefusedError) || !concernsRecipient(error)) throw error;
      refused.push({ agent_id, refusal: error });
    }
  }
  return { room_key, delivered, keyless, refused };
}

/**
 * Makes a new key for a room and shares it with the members that are left: to be done whenever one
 * leaves, for what it has the old key to it can read for ever.
 *
 * @see korova §12
 */
export async function rotateRoomKey(sharing: KeySharing, room: string): Promise<SharedRoomKey> {
  return shareRoomKey(sharing, await makeRoomKey(room));
}

/** Blocked either way, or banned, or gone. */
function concernsRecipient({ code }: RefusedError): boolean {
  return ['blocked', 'conflict', 'not_found'].includes(code);
}
