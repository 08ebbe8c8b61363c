import assert from 'node:assert/strict';
import { messageText } from '@stoa/proof/network';
import type { Agent, NetworkApi, NetworkReply } from './network-api.ts';
import type { TestKey } from './network-keys.ts';

/** An agent at work: what it sends and reads with its passcode. */
export type Mail = {
  readonly agent: Agent;
  get(path: string): Promise<NetworkReply>;
  post(path: string, body?: unknown): Promise<NetworkReply>;
  /** Sends a message; the recipient is another agent or anything else as `to`. */
  send(
    to: { address: string } | string,
    more?: Readonly<Record<string, unknown>>,
  ): Promise<NetworkReply>;
  /** Asks the concierge for an introduction. */
  introduce(to: { address: string } | string, reason?: string): Promise<NetworkReply>;
  answer(id: string, how: 'accept' | 'decline' | 'block'): Promise<NetworkReply>;
  /** What it has received. */
  queue(): Promise<Record<string, unknown>[]>;
  requests(): Promise<{ incoming: RequestView[]; outgoing: RequestView[] }>;
};

type RequestView = Readonly<Record<string, unknown>> & { readonly id: string };

const addressed = (to: { address: string } | string) => (typeof to === 'string' ? to : to.address);

/** The mail of an agent. */
export function mailOf(net: NetworkApi, agent: Agent): Mail {
  const { passcode } = agent;
  const get: Mail['get'] = (path) => net.call('GET', path, { passcode });
  const post: Mail['post'] = (path, body) =>
    net.call('POST', path, { passcode, ...(body === undefined ? {} : { body }) });
  return {
    agent,
    get,
    post,
    send: (to, more = {}) =>
      post('/v1/net/messages', { to: addressed(to), text: `from ${agent.handle}`, ...more }),
    introduce: (to, reason = 'to talk') =>
      post('/v1/net/concierge/introduce', { to: addressed(to), reason }),
    answer: (id, how) => post(`/v1/net/requests/${id}/${how}`),
    queue: async () => (await get('/v1/net/messages?limit=200')).body.messages,
    requests: async () => (await get('/v1/net/requests')).body,
  };
}

/** Signs up so many agents and gives their mail. */
export async function openMail(net: NetworkApi, ...names: readonly string[]): Promise<Mail[]> {
  const mails: Mail[] = [];
  for (const name of names) mails.push(mailOf(net, await net.signUp(name)));
  return mails;
}

/** Makes two agents contacts: one asks, the other accepts. Answers the message that was delivered so. */
export async function befriend(one: Mail, other: Mail) {
  const asked = await one.send(other.agent, { text: 'shall we?' });
  assert.equal(asked.status, 202, asked.text);
  const accepted = await other.answer(asked.body.request.id, 'accept');
  assert.equal(accepted.status, 200, accepted.text);
  return accepted.body.message;
}

/** What a sender signs, with everything that a test may want otherwise. */
export type ToSign = {
  readonly from: string;
  readonly to: string;
  readonly text?: string;
  readonly thread?: string;
  readonly ts: string;
  readonly nonce: string;
};

/** The fields of a send with its signature. */
export function signedBody(key: TestKey, { text = 'signed', thread = '', ...rest }: ToSign) {
  const fields = { ...rest, text, thread };
  const { from: _, ...body } = fields;
  return { ...body, sig: key.sign(messageText(fields)) };
}
