import { genesis_hash } from '@stoa/proof';
import { hashHolds, messageHash } from '@stoa/proof/bar';
import { UnverifiedRoomError } from '../errors.ts';
import type { ChainPage, Message } from './messages.ts';
import type { Head } from './remembered.ts';

/** The place before a room's first message. */
export const room_start: Head = { id: 0, hash: genesis_hash };

/** What ties something into the chain of a room. */
type Linked = Head & { readonly prev_hash: string };

/** A link as the chain shows it: the hash of its body stands for the body. */
export type ChainLink = ChainPage['links'][number];

/**
 * Checks that a message hashes to its own hash.
 *
 * @throws UnverifiedRoomError with check `hash`.
 * @see korova §9
 */
export function checkHash(message: Message): void {
  if (!hashHolds(message)) throw hashFault(message.room, message.id);
}

/**
 * Checks messages that follow each other without a gap after `before`: each stands in the room, hashes
 * to its own hash, has a higher id and names the hash before it. Answers the last place. Without
 * `before` the word of the first message is taken for what it follows.
 *
 * @throws UnverifiedRoomError for the first message at fault.
 * @see korova §9
 */
export function checkMessages(
  room: string,
  messages: Iterable<Message>,
  before: Head | undefined,
): Head | undefined {
  let last = before;
  for (const message of messages) {
    checkRoom(room, message);
    checkOrder(room, message.id, last?.id ?? 0);
    checkHash(message);
    checkFollows(room, message, last);
    last = message;
  }
  return placeOf(last);
}

/**
 * Checks links of a chain like `checkMessages` does messages.
 *
 * @throws UnverifiedRoomError for the first link at fault.
 * @see korova §9
 */
export function checkLinks(
  room: string,
  links: Iterable<ChainLink>,
  before: Head | undefined,
): Head | undefined {
  let last = before;
  for (const link of links) {
    checkOrder(room, link.id, last?.id ?? 0);
    if (messageHash({ ...link, room }) !== link.hash) throw hashFault(room, link.id);
    checkFollows(room, link, last);
    last = link;
  }
  return placeOf(last);
}

function checkFollows(room: string, { id, prev_hash }: Linked, last: Head | undefined): void {
  if (last === undefined || prev_hash === last.hash) return;
  const why = `it does not follow ${last.id === 0 ? 'the start' : `message ${last.id}`}`;
  throw new UnverifiedRoomError({ room, id, check: 'link', why });
}

function hashFault(room: string, id: number): UnverifiedRoomError {
  return new UnverifiedRoomError({ room, id, check: 'hash', why: 'it does not hash to its hash' });
}

function placeOf(last: Head | undefined): Head | undefined {
  return last && { id: last.id, hash: last.hash };
}

/** Checks that an id is higher than the one before it. */
export function checkOrder(room: string, id: number, id_before: number): void {
  if (id > id_before) return;
  const why = `it comes after message ${id_before}`;
  throw new UnverifiedRoomError({ room, id, check: 'order', why });
}

/** Checks that a message stands in the room that was asked for. */
function checkRoom(room: string, message: Message): void {
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
