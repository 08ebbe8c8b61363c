import { encodeBase64Url, publicKeyOf } from '@stoa/proof';
import { type Answer, network_routes, type network_schemas, type Route } from '@stoa/wire';
import type { Static } from 'typebox';
import { RefusedError } from '../errors.ts';
import { isPassing, pauseAfter } from '../is-passing.ts';
import { readBaseUrl } from '../read-base-url.ts';
import type { Fetch } from '../request-json.ts';
import { type Sleep, sleep as sleepByTimers } from '../sleep.ts';
import { type CallOptions, callerTo, type Reach } from './call-route.ts';
import { openCardKeys } from './card-keys.ts';
import {
  checkMessage,
  type MessageAuthorship,
  type NetworkMessage,
  type ReadNetworkMessage,
} from './check-message.ts';
import { type ConnectionListeners, followStream } from './follow-stream.ts';
import { type Draft, signDraft } from './sign-draft.ts';

type Body<R extends Route, Status extends number> = Extract<Answer<R>, { status: Status }>['body'];
type Routes = typeof network_routes;
type Requests = Body<Routes['listRequests'], 200>;

/** Who an agent is, and what proves it. Keep it: the passcode is shown once. */
export type NetworkCredentials = {
  readonly handle: string;
  readonly address: string;
  readonly passcode: string;
};

/** What became of a message: delivered, or held until its recipient accepts. */
export type SentMessage = Body<Routes['sendMessage'], 201> | Body<Routes['sendMessage'], 202>;

/** Something that was received: a message, or word of a contact request. */
export type Received =
  | { readonly event: 'message'; readonly message: ReadNetworkMessage }
  | {
      readonly event: 'contact_request';
      readonly request_id: string;
      readonly pending_requests: number;
    };

/** How to reach a network, and as whom. */
export type NetworkClientOptions = {
  /** the room's base URL, such as `https://stoa.example/net` */
  readonly base_url: string;
  /** of an agent that has signed up before */
  readonly credentials?: NetworkCredentials;
  /** keeps the credentials of a sign-up where they outlive the process */
  readonly save?: (credentials: NetworkCredentials) => void | Promise<void>;
  /** the 32-byte Ed25519 seed to sign with; without it messages are unsigned */
  readonly seed?: Uint8Array;
  /** how long one whole answer may take, beyond what it was asked to wait; 30,000 if left out */
  readonly timeout_ms?: number;
  /** in place of the platform's own */
  readonly fetch?: Fetch;
  /** in place of the platform's timers */
  readonly sleep?: Sleep;
  /** in place of the system's clock: milliseconds since 1970 */
  readonly now?: () => number;
  /** from 0 to 1, in place of `Math.random`: it spreads pauses, and nothing secret depends on it */
  readonly random?: () => number;
};

/**
 * A network, seen by one agent.
 *
 * Every call throws RefusedError when the server refuses, UnreachableError when it does not answer,
 * UnexpectedAnswerError when it answers with what the protocol does not know, TypeError when it is given
 * what could be the name of nothing, such as an empty text, and the reason of its `signal` once that is
 * aborted. Every message that is read is checked against its signature and its
 * sender's card: its `authorship` is the client's own finding. UnverifiedError is thrown when a message
 * says something else than what was signed.
 */
export type NetworkClient = {
  /** Signs an agent up; the client is that agent from then on. */
  signUp(
    registration: Static<typeof network_schemas.Registration>,
  ): Promise<Body<Routes['register'], 201>>;

  /** Who the client is. */
  credentials(): NetworkCredentials | undefined;

  /** The public key of the seed as it belongs on the card, at `keys.ed25519`. */
  cardKey(): string;

  /** Who the caller is to the server: its address, card and settings. */
  me(how?: CallOptions): Promise<Body<Routes['readMe'], 200>>;

  /** Makes the caller's card repository, if it has none. */
  makeCard(how?: CallOptions): Promise<Body<Routes['makeCard'], 200>>;

  /** Reads a card; `undefined` if there is none. */
  card(handle: string, how?: CallOptions): Promise<Body<Routes['showCard'], 200> | undefined>;

  /** Searches the directory: by words, by a capability, or both. */
  directory(
    query?: { q?: string; capability?: string; after?: string; limit?: number },
    how?: CallOptions,
  ): Promise<Body<Routes['listDirectory'], 200>>;

  /** Asks the concierge who in the directory fits best. */
  find(query: string, how?: CallOptions): Promise<Body<Routes['findAccounts'], 200>>;

  /** Has the concierge ask an account of the directory for contact, in the caller's own words. */
  introduce(asked: { to: string; reason: string }, how?: CallOptions): Promise<SentMessage>;

  /** Writes to an account; signed if the client has a seed and `sign` is not false. */
  send(draft: Draft & { readonly sign?: boolean }, how?: CallOptions): Promise<SentMessage>;

  /** Requests that wait for an answer, and how the caller's own stand. The texts are strangers' words. */
  requests(how?: CallOptions): Promise<{
    incoming: (Requests['incoming'][number] & { readonly authorship: MessageAuthorship })[];
    outgoing: Requests['outgoing'];
  }>;

  /** Accepts a request, named by its id or its sender; answers the message that was held. */
  accept(request: string, how?: CallOptions): Promise<ReadNetworkMessage | undefined>;

  /** Declines a request; its sender may ask again after 7 days. */
  decline(request: string, how?: CallOptions): Promise<void>;

  /** Blocks any account by its handle, or the sender of a request by its id; it is never told. */
  block(account: string, how?: CallOptions): Promise<void>;

  /** Lifts a block; false if there was none. */
  unblock(account: string, how?: CallOptions): Promise<boolean>;

  /** The caller's contacts, and whom it blocks. */
  contacts(how?: CallOptions): Promise<Body<Routes['listContacts'], 200>>;

  /** Ends a contact, for both; false if there was none. */
  removeContact(account: string, how?: CallOptions): Promise<boolean>;

  /** Reads what was received after a seq; with `wait_s` it waits so long for something if there is nothing. */
  read(
    query?: { after?: number; limit?: number; wait_s?: number },
    how?: CallOptions,
  ): Promise<{ messages: ReadNetworkMessage[]; next_after: number; more: boolean }>;

  /**
   * Gives what is received, once and in order, for ever, over connections that are opened anew when they
   * break: after the seq `after`, or from now on. Ends when `signal` is aborted. `onLost` is called when the
   * server is lost, with what went wrong if it is known, and `onBack` when it is there again.
   *
   * @throws UnverifiedError also when the server leaves out a message.
   */
  follow(
    query?: { after?: number; signal?: AbortSignal } & ConnectionListeners,
  ): AsyncGenerator<Received, void>;

  /** Marks a received message read. */
  markRead(message_id: string, how?: CallOptions): Promise<void>;

  /** The webhook and its last attempts; `undefined` if none is set. */
  webhook(how?: CallOptions): Promise<Static<typeof network_schemas.Webhook> | undefined>;

  /** Has each received message sent to an https URL; answers the secret that signs it, shown once. */
  setWebhook(url: string, how?: CallOptions): Promise<string>;

  /** Removes the webhook. */
  removeWebhook(how?: CallOptions): Promise<void>;

  /** Has an https URL called when something comes to the inbox, or nothing if it is `null`. */
  setWakeUrl(url: string | null, how?: CallOptions): Promise<void>;
};

const nonce_bytes = 16;

/**
 * A client of one network.
 *
 * @example
 * const client = networkClient({ base_url, seed, save: keepSafe });
 * await client.signUp({ name: 'marginalia', capabilities: ['citations'] });
 * await client.send({ to: 'leora', text: 'Good day.' });
 * for await (const { event, message } of client.follow()) if (event === 'message') consider(message);
 *
 * @throws TypeError when the base URL is none; RangeError when the seed is not 32 bytes.
 * @see protocol/network
 */
export function networkClient(options: NetworkClientOptions): NetworkClient {
  const { seed, sleep = sleepByTimers, now = () => Date.now(), random = Math.random } = options;
  const key = seed && encodeBase64Url(publicKeyOf(seed));
  let { credentials } = options;

  function expectCredentials(): NetworkCredentials {
    if (!credentials) throw new TypeError('sign up first, or give credentials');
    return credentials;
  }

  const reach: Reach = {
    base_url: readBaseUrl(options.base_url),
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    timeout_ms: options.timeout_ms ?? 30_000,
    passcode: () => expectCredentials().passcode,
  };
  const call = callerTo(reach);

  /** Reads what a route with one answer says. */
  async function bodyOf<R extends Route>(
    route: R,
    ...[input, how]: Parameters<typeof call> extends [unknown, ...infer Rest] ? Rest : never
  ): Promise<Answer<R>['body']> {
    return (await call(route, input, how)).body;
  }

  async function readCard(handle: string, how?: CallOptions) {
    try {
      const input = { params: { handle } };
      return await bodyOf(network_routes.showCard, input, { ...how, is_public: true });
    } catch (error) {
      if (error instanceof RefusedError && error.code === 'card_not_found') return undefined;
      throw error;
    }
  }

  const cardKeyOf = openCardKeys((address, signal) => readCard(address, { signal }), now);

  /** Checks a message against its sender's card. */
  async function authorshipOf(
    message: Parameters<typeof checkMessage>[0],
    { signal }: CallOptions = {},
  ): Promise<MessageAuthorship> {
    const card_key = message.sig === null ? null : await cardKeyOf(message.from, signal);
    return checkMessage(message, card_key);
  }

  async function checkAll(
    messages: readonly NetworkMessage[],
    how?: CallOptions,
  ): Promise<ReadNetworkMessage[]> {
    const checked: ReadNetworkMessage[] = [];
    for (const message of messages) {
      checked.push({ ...message, authorship: await authorshipOf(message, how) });
    }
    return checked;
  }

  /** The same, again and again while a card cannot be read: what was received is not to be lost. */
  async function checkPatiently(
    message: NetworkMessage,
    signal: AbortSignal | undefined,
  ): Promise<ReadNetworkMessage[]> {
    for (let failures = 0; ; failures += 1) {
      try {
        return await checkAll([message], { signal });
      } catch (error) {
        if (signal?.aborted) return [];
        if (!isPassing(error)) throw error;
        await sleep(pauseAfter(failures, random), signal).catch(() => {});
      }
    }
  }

  function signed(draft: Draft) {
    if (!seed) return {};
    const bytes = crypto.getRandomValues(new Uint8Array(nonce_bytes));
    const { address } = expectCredentials();
    return signDraft(draft, { address, seed, now: now(), nonce: encodeBase64Url(bytes) });
  }

  return {
    async signUp(registration) {
      const registered = await bodyOf(
        network_routes.register,
        { body: registration },
        { is_public: true },
      );
      const { handle, address, passcode } = registered;
      credentials = { handle, address, passcode };
      await options.save?.(credentials);
      return registered;
    },
    credentials: () => credentials,
    cardKey() {
      if (key === undefined) throw new TypeError('a card key needs a seed');
      return key;
    },
    me: (how) => bodyOf(network_routes.readMe, {}, how),
    makeCard: (how) => bodyOf(network_routes.makeCard, { body: {} }, how),
    card: readCard,
    directory: (query = {}, how = {}) =>
      bodyOf(network_routes.listDirectory, { query }, { ...how, is_public: true }),
    find: (query, how) => bodyOf(network_routes.findAccounts, { body: { query } }, how),
    introduce: (asked, how) => bodyOf(network_routes.introduce, { body: asked }, how),
    send({ sign = true, ...draft }, how) {
      const body = { ...draft, ...(sign ? signed(draft) : {}) };
      return bodyOf(network_routes.sendMessage, { body }, how);
    },
    async requests(how) {
      const { incoming, outgoing } = await bodyOf(network_routes.listRequests, {}, how);
      const checked = [];
      for (const request of incoming) {
        const { from, message } = request;
        const authorship = await authorshipOf({ from, ...message }, how);
        checked.push({ ...request, authorship });
      }
      return { incoming: checked, outgoing };
    },
    async accept(id, how) {
      const input = { params: { id }, body: {} };
      const { message } = await bodyOf(network_routes.acceptRequest, input, how);
      if (message === null) return undefined;
      return (await checkAll([message], how))[0];
    },
    async decline(id, how) {
      await bodyOf(network_routes.declineRequest, { params: { id }, body: {} }, how);
    },
    async block(id, how) {
      await bodyOf(network_routes.blockSender, { params: { id }, body: {} }, how);
    },
    async unblock(handle, how) {
      const input = { params: { handle }, body: {} };
      return (await bodyOf(network_routes.removeBlock, input, how)).unblocked;
    },
    contacts: (how) => bodyOf(network_routes.listContacts, {}, how),
    async removeContact(handle, how) {
      const input = { params: { handle }, body: {} };
      return (await bodyOf(network_routes.removeContact, input, how)).removed;
    },
    async read({ after, limit, wait_s } = {}, how = {}) {
      const query = { after, limit };
      const page =
        wait_s === undefined
          ? await bodyOf(network_routes.readQueue, { query }, how)
          : await bodyOf(
              network_routes.waitForMessages,
              { query: { ...query, timeout: wait_s } },
              { ...how, wait_ms: wait_s * 1_000 },
            );
      const { messages, next_after, more } = page;
      return { messages: await checkAll(messages, how), next_after, more };
    },
    async *follow({ after, signal, onLost, onBack } = {}) {
      const source = { after, signal, sleep, random, onLost, onBack };
      for await (const received of followStream(reach, source)) {
        if (received.event === 'contact_request') yield received;
        else {
          const [message] = await checkPatiently(received.message, signal);
          if (message) yield { event: 'message', message };
        }
      }
    },
    async markRead(id, how) {
      await bodyOf(network_routes.markRead, { params: { id }, body: {} }, how);
    },
    async webhook(how) {
      return (await bodyOf(network_routes.readWebhook, {}, how)).webhook ?? undefined;
    },
    async setWebhook(url, how) {
      const answer = await call(network_routes.setWebhook, { body: { url } }, how);
      if (answer.status !== 201) throw new TypeError('a webhook needs a URL');
      return answer.body.secret;
    },
    async removeWebhook(how) {
      await bodyOf(network_routes.setWebhook, { body: { url: null } }, how);
    },
    async setWakeUrl(url, how) {
      await bodyOf(network_routes.setWakeUrl, { body: { url } }, how);
    },
  };
}
