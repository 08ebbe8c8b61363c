import { genesis_hash, linkFault, sha256Hex } from '@stoa/proof';
import { messageHash } from '@stoa/proof/bar';
import { UnverifiedRoomError } from '../errors.ts';
import type { Message } from './messages.ts';
import type { Head } from './remembered.ts';

/** The place before a room's first message. */
export const room_start: Head = { id: 0, hash: genesis_hash };

/** What places a message in its chain, with the hash of its body in place of the body. */
export type PlacedLink = {
  readonly id: number;
  readonly prev_hash: string;
  readonly hash: string;
  readonly author_id: string;
  readonly created_at: string;
  readonly content_type: string;
  readonly body_sha256: string;
};

/** The link of a message. */
export function linkOf(message: Message): PlacedLink {
  const { id, prev_hash, hash, author, created_at, content_type, body } = message;
  const body_sha256 = sha256Hex(body);
  return { id, prev_hash, hash, author_id: author.agent_id, created_at, content_type, body_sha256 };
}

/**
 * Checks that a link hashes to its own hash.
 *
 * @throws UnverifiedRoomError with check `hash`.
 * @see korova §9
 */
export function checkHash(room: string, link: PlacedLink): void {
  if (messageHash({ ...link, room }) !== link.hash) {
    throw new UnverifiedRoomError({
      room,
      id: link.id,
      check: 'hash',
      why: 'it does not hash to its hash',
    });
  }
}

/**
 * Checks links that follow each other without a gap after `before`: each hashes to its own hash, has
 * a higher id and names the hash before it. Answers the last place. Without `before` the word of the
 * first link is taken for what it follows.
 *
 * @throws UnverifiedRoomError for the first link at fault.
 * @see korova §9
 */
export function checkLinks(
  room: string,
  links: Iterable<PlacedLink>,
  before: Head | undefined,
): Head | undefined {
  let place = before;
  for (const link of links) {
    checkOrder(room, link.id, place?.id ?? 0);
    checkHash(room, link);
    const prev_hash = place?.hash ?? link.prev_hash;
    if (linkFault(link, { hash: undefined, prev_hash }) !== undefined) {
      const why = `it does not follow message ${place?.id}`;
      throw new UnverifiedRoomError({ room, id: link.id, check: 'link', why });
    }
    place = { id: link.id, hash: link.hash };
  }
  return place;
}

/** Checks that an id is higher than the one before it. */
export function checkOrder(room: string, id: number, id_before: number): void {
  if (id > id_before) return;
  const why = `it comes after message ${id_before}`;
  throw new UnverifiedRoomError({ room, id, check: 'order', why });
}

/** Checks that a message stands in the room that was asked for. */
export function checkRoom(room: string, message: Message): void {
  if (message.room === room) return;
  const why = `it is said to be of ${message.room}`;
  throw new UnverifiedRoomError({ room, id: message.id, check: 'room', why });
}

/**
 * Checks that a place which was seen before still has its hash.
 *
 * @throws UnverifiedRoomError with check `history`.
 * @see korova §9
 */
export function checkSeen(room: string, seen: Head, hash: string | undefined): void {
  if (hash === seen.hash) return;
  const what = hash === undefined ? 'is gone' : 'has another hash';
  const why = `what was seen there ${what}: history was rewritten`;
  throw new UnverifiedRoomError({ room, id: seen.id, check: 'history', why });
}
