import { UnverifiedRoomError } from '../errors.ts';
import { bridge, checkClaimedHead, type ReadChainPage } from './bridge.ts';
import { checkHash, checkMessages, checkOrder, checkSeen, room_start } from './check-messages.ts';
import type { Message, MessagePage } from './messages.ts';
import { type Head, type Remembered, remember } from './remembered.ts';
import { openTurnstile } from './turnstile.ts';

const walks_kept = 1_000;

/** What a page was asked for with, and the head that was remembered then. */
export type PageAsked = {
  readonly since: number;
  readonly limit: number;
  readonly seen: Head | undefined;
};

/**
 * What a client has seen of its rooms, and holds everything that it reads to. It remembers one head
 * a room: the last place up to which all that it was shown hangs together. Where nothing is
 * remembered yet, the first that is read is believed.
 *
 * Every method throws UnverifiedRoomError, or what reading the chain throws.
 *
 * @see korova §9
 */
export type RoomHistory = {
  /**
   * Holds a page of a room to what was seen: no gap within it, none to the remembered head that the
   * chain does not bridge, that head still in its place, and the head that the server claims.
   *
   * A page from before the remembered head is held to it through the chain as far as one answer of
   * the chain reaches; a reader who walks on from there is held to it on arrival.
   */
  admitPage(page: MessagePage, asked: PageAsked): Promise<void>;

  /**
   * Holds messages of one room, in order, to what was seen. Others may stand between them that are
   * not shown; where the links do not say so themselves, the chain is asked.
   */
  admitScattered(room: string, messages: readonly Message[]): Promise<void>;

  /** Moves the head on to a message of one's own, if it follows directly on it. */
  note(message: Message): Promise<void>;

  /** Remembers a place up to which a room was verified, if it is further than the one remembered. */
  reach(room: string, place: Head): Promise<void>;

  /** The remembered head of a room. */
  headOf(room: string): Promise<Head | undefined>;
};

/** A history over a store of heads; `readChain` reads a room's chain. */
export function openRoomHistory(heads: Remembered<Head>, readChain: ReadChainPage): RoomHistory {
  const inTurn = openTurnstile();
  // Where a reader stands who reads on from before the head, page by page.
  const walks = remember<Head>(walks_kept);

  const headOf = async (room: string) => heads.get(room);

  async function reach(room: string, { id, hash }: Head): Promise<void> {
    const head = await headOf(room);
    if (head === undefined || id > head.id) await heads.set(room, { id, hash });
  }

  /** Leads on from a place to the last of `messages`, and moves the head as far as that holds. */
  async function bridgeTo(room: string, from: Head, messages: readonly Message[]): Promise<void> {
    const to = messages.at(-1)?.id ?? from.id;
    const { reached, is_whole, passed } = await bridge(readChain, { room, from, to });
    for (const message of messages) {
      if (is_whole || message.id <= reached.id) checkPassed(room, message, passed);
    }
    await reach(room, reached);
  }

  /** Holds messages from before the head to it, if one answer of the chain reaches that far. */
  async function holdToHead(room: string, messages: readonly Message[], head: Head): Promise<void> {
    const [from] = messages;
    if (from === undefined) return;
    const span = { room, from, to: head.id, pages_max: 1 };
    const { reached, is_whole, passed } = await bridge(readChain, span);
    for (const message of messages) {
      if (is_whole || message.id <= reached.id) checkPassed(room, message, passed);
    }
    if (is_whole) checkSeen(room, head, passed.get(head.id));
  }

  async function admitPage(page: MessagePage, { since, limit, seen }: PageAsked): Promise<void> {
    const { room, messages, chain_head } = page;
    const [head, walk] = [await headOf(room), await walks.get(room)];
    const [first] = messages;
    if (first !== undefined) checkOrder(room, first.id, since);
    const before = since === 0 ? room_start : [head, walk].find((place) => place?.id === since);
    const last = checkMessages(room, messages, before);
    const is_end = messages.length < limit;
    if (is_end && last !== undefined && !messages.some(({ hash }) => hash === chain_head)) {
      await checkClaimedHead(readChain, { room, last, chain_head });
    }

    // An answer that was under way when the head moved on need not know of it.
    const must_reach = is_end && seen !== undefined && seen.id === head?.id ? head.id : 0;
    const shown_to = Math.max(last?.id ?? since, must_reach);
    const is_covered = head !== undefined && since < head.id && shown_to >= head.id;
    if (is_covered) checkSeen(room, head, messages.find(({ id }) => id === head.id)?.hash);
    if (first === undefined || last === undefined) return;
    if (head === undefined || is_covered || since === head.id) await reach(room, last);
    else if (since > head.id) await bridgeTo(room, head, messages);
    else {
      if (before === undefined) await holdToHead(room, messages.slice(-1), head);
      await walks.set(room, last);
    }
  }

  async function admitScattered(room: string, messages: readonly Message[]): Promise<void> {
    for (const message of messages) checkHash(message);
    const [first] = messages;
    const head = (await headOf(room)) ?? first;
    if (first === undefined || head === undefined) return;
    const same = messages.find(({ id }) => id === head.id);
    if (same !== undefined) checkSeen(room, head, same.hash);
    await holdToHead(room, notTiedTo(same, messages, head), head);
    const later = messages.filter(({ id }) => id > head.id);
    let place: Head = head;
    while (later[0]?.prev_hash === place.hash) place = later.shift() ?? place;
    await reach(room, place);
    if (later.length > 0) await bridgeTo(room, place, later);
  }

  return {
    admitPage: (page, asked) => inTurn(page.room, () => admitPage(page, asked)),
    admitScattered: (room, messages) => inTurn(room, () => admitScattered(room, messages)),
    note: (message) =>
      inTurn(message.room, async () => {
        const head = await headOf(message.room);
        if (head === undefined || head.hash === message.prev_hash) {
          await reach(message.room, message);
        }
      }),
    reach: (room, place) => inTurn(room, () => reach(room, place)),
    headOf,
  };
}

/** The messages from before the head that do not lead to it, link by link, as they are shown. */
function notTiedTo(same: Message | undefined, messages: readonly Message[], head: Head): Message[] {
  const earlier = messages.filter(({ id }) => id < head.id);
  let next = same;
  while (next !== undefined && earlier.at(-1)?.hash === next.prev_hash) next = earlier.pop();
  return earlier;
}

function checkPassed(room: string, { id, hash }: Head, passed: ReadonlyMap<number, string>): void {
  if (passed.get(id) === hash) return;
  const why = 'it does not stand on the chain of its room';
  throw new UnverifiedRoomError({ room, id, check: 'link', why });
}
