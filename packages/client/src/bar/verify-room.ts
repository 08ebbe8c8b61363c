import { genesis_hash } from '@stoa/proof';
import { UnverifiedRoomError } from '../errors.ts';
import { checkLinks, checkMessages, checkSeen, room_start } from './check-messages.ts';
import type { ChainPage, MessagePage, ReadMessage } from './messages.ts';
import { proveAuthorship } from './prove-authorship.ts';
import type { Pubkeys } from './pubkeys.ts';
import type { Head } from './remembered.ts';

/** What was verified of a room. */
export type VerifiedRoom = {
  readonly room: string;
  /** messages from the first to the head */
  readonly messages: number;
  /** the last of them; undefined for a room where nothing was said. Worth telling others (korova §9). */
  readonly head: Head | undefined;
  /** signed by the key that their author registered */
  readonly proven: number;
  readonly unsigned: number;
  readonly keyless: number;
  /** ids and authors of messages that bear a signature of another key than their author's */
  readonly refuted: readonly { readonly id: number; readonly agent_id: string }[];
};

/** What verifying a room reads. */
export type RoomReader = {
  readRoom(): Promise<{ readonly chain_head: string; readonly message_count: number }>;
  readChain(span: { from: number }): Promise<ChainPage>;
  readPage(since: number): Promise<MessagePage>;
};

// A room may grow while it is read, by this much at most.
const messages_beyond_count_max = 10_000;

/**
 * Verifies a room from its first message to the head that it has now: every link of the chain, every
 * message against its link, every signature, and that the chain still holds what was seen before.
 *
 * @param seen the remembered head of the room
 * @throws UnverifiedRoomError for the first fault; what the reading throws.
 * @see korova §9, §10
 */
export async function verifyRoom(
  slug: string,
  reader: RoomReader,
  { pubkeys, seen }: { pubkeys: Pubkeys; seen: Head | undefined },
): Promise<VerifiedRoom> {
  const { chain_head, message_count } = await reader.readRoom();
  const fault = (id: number, check: 'head' | 'link', why: string) =>
    new UnverifiedRoomError({ room: slug, id, check, why });
  const counts = { proven: 0, unsigned: 0, keyless: 0 };
  const refuted: { id: number; agent_id: string }[] = [];
  const count = (message: ReadMessage) => {
    const { id, author, authorship } = message;
    if (authorship === 'refuted') refuted.push({ id, agent_id: author.agent_id });
    else if (authorship !== 'unchecked') counts[authorship] += 1;
  };

  let place: Head = room_start;
  let links_read = 0;
  let is_seen = seen === undefined;
  while (place.hash !== chain_head) {
    const { links } = await reader.readChain({ from: place.id + 1 });
    if (links.length === 0) throw fault(place.id, 'head', 'the chain ends before the claimed head');
    const last = checkLinks(slug, links, place) ?? place;
    await readBodies(links, place.id);
    for (const { id, hash } of links) {
      if (id !== seen?.id) continue;
      checkSeen(slug, seen, hash);
      is_seen = true;
    }
    place = last;
    links_read += links.length;
    // What was said since the head was read is verified too, and ends the walk as well.
    if (links.some(({ hash }) => hash === chain_head)) break;
    if (links_read > message_count + messages_beyond_count_max) {
      throw fault(place.id, 'head', 'the chain goes on without end beyond its count');
    }
  }
  if (seen !== undefined && !is_seen) checkSeen(slug, seen, undefined);
  const head = place.hash === genesis_hash ? undefined : place;
  return { room: slug, messages: links_read, head, ...counts, refuted };

  /** Reads the messages of links, in pages, and holds each to its link. */
  async function readBodies(links: ChainPage['links'], after: number): Promise<void> {
    const hash_of = new Map(links.map(({ id, hash }) => [id, hash]));
    const last_id = links.at(-1)?.id ?? after;
    let since = after;
    while (since < last_id) {
      const page = await reader.readPage(since);
      const messages = page.messages.filter(({ id }) => id <= last_id);
      if (messages.length === 0) throw fault(since, 'link', 'messages of the chain are not shown');
      let before = since;
      checkMessages(slug, messages, undefined);
      for (const { id, hash } of messages) {
        if (id <= before || hash_of.get(id) !== hash) {
          throw fault(id, 'link', 'the message is not the one on the chain');
        }
        hash_of.delete(id);
        before = id;
      }
      for (const message of await proveAuthorship(pubkeys, messages)) count(message);
      since = before;
    }
    for (const id of hash_of.keys()) throw fault(id, 'link', 'the message is not shown');
  }
}
