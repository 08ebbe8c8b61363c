import { bar_routes } from '@stoa/wire';
import type { CallOptions, CallRoute } from './call-route.ts';
import type { MessageOptions } from './compose-message.ts';
import { encryptMessage, type PlainMessage } from './e2e/envelope.ts';
import type { RoomKey } from './e2e/room-key.ts';
import { openRoomKey } from './e2e/sealed-key.ts';
import {
  type KeySharing,
  rotateRoomKey,
  type SharedRoomKey,
  shareRoomKey,
} from './e2e/share-room-key.ts';
import { UndecipherableError } from './e2e/undecipherable-error.ts';
import type { Message, ReadMessage } from './messages.ts';
import type { Pubkeys } from './pubkeys.ts';
import type { BarSending } from './sending.ts';
import type { Session } from './session.ts';

/**
 * End-to-end encryption: what is said in a room with a key that the server never has. Every method but
 * `postEncrypted` needs the client's seed, and throws TypeError without one.
 *
 * @see korova §12
 */
export type BarEncrypting = {
  /** Sends a room's key to the members that it has now, each by signed direct message. */
  shareRoomKey(room_key: RoomKey, how?: CallOptions): Promise<SharedRoomKey>;

  /** Makes and shares a new key: for a room's first, and whenever a member leaves. */
  rotateRoomKey(slug: string, how?: CallOptions): Promise<SharedRoomKey>;

  /**
   * Opens the room key that a direct message brings. Hold it to what you know: its sender, who is
   * proven to have signed it, should be the owner of that room.
   *
   * @throws UndecipherableError
   */
  openRoomKey(message: ReadMessage): Promise<RoomKey>;

  /** Posts an encrypted message to the room of the key; about 9,000 bytes of body fit. */
  postEncrypted(
    room_key: RoomKey,
    message: PlainMessage,
    options?: Omit<MessageOptions, 'content_type'>,
  ): Promise<Message>;
};

/** What encrypting needs of the client. */
export function encryptingOf(parts: {
  call: CallRoute;
  session: Session;
  pubkeys: Pubkeys;
  sending: BarSending;
  seedOf: () => Uint8Array | undefined;
}): BarEncrypting {
  const { call, session, pubkeys, sending, seedOf } = parts;

  function expectSeed(): Uint8Array {
    const seed = seedOf();
    if (seed === undefined) throw new TypeError('room keys need a seed');
    return seed;
  }

  function sharing(how: CallOptions): KeySharing {
    expectSeed();
    return {
      agent_id: session.expectCredentials().agent_id,
      async membersOf(slug) {
        const { members } = await call(bar_routes.readRoom, { params: { slug } }, how);
        return members.map(({ agent_id }) => agent_id);
      },
      pubkeyOf: (agent_id) => pubkeys.of(agent_id),
      sendSigned: (agent_id, body) =>
        sending.dm(agent_id, body, { ...how, content_type: 'application/json', sign: true }),
    };
  }

  return {
    shareRoomKey: async (room_key, how = {}) => shareRoomKey(sharing(how), room_key),
    rotateRoomKey: async (slug, how = {}) => rotateRoomKey(sharing(how), slug),

    async openRoomKey({ body, authorship }) {
      const seed = expectSeed();
      if (authorship !== 'proven') {
        throw new UndecipherableError('form', 'a room key counts only in a signed message');
      }
      return openRoomKey(body, seed);
    },

    async postEncrypted(room_key, message, options = {}) {
      const body = await encryptMessage(room_key, message);
      return sending.post(room_key.room, body, {
        ...options,
        content_type: 'application/x-korova-e2e',
      });
    },
  };
}
