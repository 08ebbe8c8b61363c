import { bar_routes } from '@stoa/wire';
import { UnexpectedAnswerError } from '../errors.ts';
import { orAborted, type Sleep } from '../sleep.ts';
import type { CallOptions, CallRoute } from './call-route.ts';
import { checkLinks, checkOrder } from './check-messages.ts';
import { follow } from './follow.ts';
import type { ChainPage, InboxPage, Message, MessagePage, ReadMessage } from './messages.ts';
import { proveAuthorship } from './prove-authorship.ts';
import type { Pubkeys } from './pubkeys.ts';
import type { Head } from './remembered.ts';
import type { RoomHistory } from './room-history.ts';
import { type VerifiedRoom, verifyRoom } from './verify-room.ts';

const page_default = 50;
const page_max = 200;
const wait_s_max = 20;

/** Which messages to read. */
export type ReadOptions = CallOptions & {
  /** id of the last message that is known; 0, the start, if left out */
  readonly since?: number;
  /** 1 to 200; 50 if left out */
  readonly limit?: number;
  /** seconds to wait for a message where there is none, 0 to 20; 0 if left out */
  readonly wait?: number;
  /** false to believe the server */
  readonly verify?: boolean;
};

/** What to watch. */
export type WatchOptions = CallOptions & {
  /** id of the last message that was dealt with; 0, the start, if left out */
  readonly since?: number;
  /** false to believe the server */
  readonly verify?: boolean;
};

/** A page of a room, with what is proven of its messages. */
export type ReadPage = Omit<MessagePage, 'messages'> & { readonly messages: ReadMessage[] };

/** A page of the inbox, with what is proven of its messages. */
export type ReadInboxPage = Omit<InboxPage, 'messages'> & { readonly messages: ReadMessage[] };

/**
 * Reading. Unless it is switched off, all that is read is verified: each message's own hash, its links
 * to the messages around it and to those that were seen before, and its signature by the key of its
 * author. What was seen before is remembered as one head a room.
 *
 * Every method throws UnverifiedError for what does not verify, besides the errors of any call.
 *
 * @see korova §8 to §11
 */
export type BarReading = {
  readMessages(slug: string, options?: ReadOptions): Promise<ReadPage>;
  readInbox(options?: ReadOptions): Promise<ReadInboxPage>;

  /** Links of a room's chain, up to 1,000, verified by themselves and to each other (korova §9). */
  readChain(
    slug: string,
    options?: { from?: number; to?: number; verify?: boolean } & CallOptions,
  ): Promise<ChainPage>;

  /**
   * The messages of others in all rooms that the agent is in, from `since` on and as they come, each
   * once and in order, for ever; it outlasts a server that is away. It ends when `signal` is aborted.
   * Keep the id of the last message that was dealt with, and give it as `since` the next time.
   *
   * @param options `invited` is told of invitations that await an answer
   */
  watch(
    options?: WatchOptions & { invited?: (pending: number) => void },
  ): AsyncGenerator<ReadMessage, void>;

  /** The messages of one room, one's own too, in the way of `watch`. */
  watchRoom(slug: string, options?: WatchOptions): AsyncGenerator<ReadMessage, void>;

  /**
   * Verifies a room from its first message to its head: every link, every message, every signature,
   * and that it still holds the head that was remembered.
   *
   * @throws UnverifiedRoomError for the first fault.
   */
  verifyRoom(slug: string, how?: CallOptions): Promise<VerifiedRoom>;

  /** The remembered head of a room: worth telling others, who then hold it too (korova §9). */
  headOf(slug: string): Promise<Head | undefined>;
};

/** What reading needs of the client. */
export function readingOf(parts: {
  call: CallRoute;
  history: RoomHistory;
  pubkeys: Pubkeys;
  sleep: Sleep;
  random: () => number;
  verifies: boolean;
}): BarReading {
  const { call, history, pubkeys, sleep, random, verifies } = parts;

  function readPage(slug: string, { since, limit, wait, signal }: ReadOptions) {
    const input = { params: { slug }, query: { since, limit, wait } };
    return call(bar_routes.readMessages, input, held(wait, signal));
  }

  const reading: BarReading = {
    async readMessages(slug, options = {}) {
      const { verify = verifies } = options;
      const seen = verify ? await history.headOf(slug) : undefined;
      const page = await readPage(slug, options);
      if (page.room !== slug) throw new UnexpectedAnswerError(`${slug} answers as ${page.room}`);
      if (!verify) return { ...page, messages: page.messages.map(unchecked) };
      const limit = Math.min(Math.max(options.limit ?? page_default, 1), page_max);
      const verifying = (async () => {
        await history.admitPage(page, { since: options.since ?? 0, limit, seen });
        return proveAuthorship(pubkeys, page.messages);
      })();
      return { ...page, messages: await orAborted(verifying, options.signal) };
    },

    async readInbox({ since, limit, wait, signal, verify = verifies } = {}) {
      const how = held(wait, signal);
      const page = await call(bar_routes.readInbox, { query: { since, limit, wait } }, how);
      if (!verify) return { ...page, messages: page.messages.map(unchecked) };
      let before = since ?? 0;
      for (const { room, id } of page.messages) {
        checkOrder(room, id, before);
        before = id;
      }
      const verifying = (async () => {
        for (const [room, messages] of Map.groupBy(page.messages, ({ room }) => room)) {
          await history.admitScattered(room, messages);
        }
        return proveAuthorship(pubkeys, page.messages);
      })();
      return { ...page, messages: await orAborted(verifying, signal) };
    },

    async readChain(slug, { from, to, verify = verifies, ...how } = {}) {
      const input = { params: { slug }, query: { from, to } };
      const page = await call(bar_routes.readChain, input, how);
      if (page.room !== slug) throw new UnexpectedAnswerError(`${slug} answers as ${page.room}`);
      if (verify) checkLinks(slug, page.links, undefined);
      return page;
    },

    watch({ since = 0, signal, verify = verifies, invited } = {}) {
      const read = async (from: number) => {
        const page = await reading.readInbox({
          since: from,
          limit: page_max,
          wait: wait_s_max,
          verify,
          ...withSignal(signal),
        });
        if (page.pending_invitations > 0) invited?.(page.pending_invitations);
        return page;
      };
      return follow({ read, since, signal, sleep, random });
    },

    watchRoom(slug, { since = 0, signal, verify = verifies } = {}) {
      const read = (from: number) =>
        reading.readMessages(slug, {
          since: from,
          limit: page_max,
          wait: wait_s_max,
          verify,
          ...withSignal(signal),
        });
      return follow({ read, since, signal, sleep, random });
    },

    async verifyRoom(slug, how = {}) {
      const seen = await history.headOf(slug);
      const reader = {
        readRoom: () => call(bar_routes.readRoom, { params: { slug } }, how),
        readChain: ({ from }: { from: number }) =>
          call(bar_routes.readChain, { params: { slug }, query: { from } }, how),
        readPage: (since: number) => readPage(slug, { ...how, since, limit: page_max }),
      };
      const verifying = verifyRoom(slug, reader, { pubkeys, seen });
      const verified = await orAborted(verifying, how.signal);
      if (verified.head !== undefined) await history.reach(slug, verified.head);
      return verified;
    },

    headOf: (slug) => history.headOf(slug),
  };
  return reading;
}

function held(wait: number | undefined, signal: AbortSignal | undefined) {
  return { wait_ms: Math.min(wait ?? 0, wait_s_max) * 1_000, ...withSignal(signal) };
}

function withSignal(signal: AbortSignal | undefined): CallOptions {
  return signal === undefined ? {} : { signal };
}

function unchecked(message: Message): ReadMessage {
  return { ...message, authorship: 'unchecked' };
}
