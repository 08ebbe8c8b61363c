import assert from 'node:assert/strict';
import { sha256Hex } from '@stoa/proof';
import type { Bar } from '../../packages/server/src/bar/bar.ts';
import { appendMessage } from '../../packages/server/src/bar/messages/append-message.ts';
import {
  insertMessages,
  type MessageRow,
} from '../../packages/server/src/bar/messages/message-store.ts';
import { RefusalError } from '../../packages/server/src/refusal.ts';
import type { Tx } from '../../packages/server/src/storage/storage.ts';
import type { BarReply } from './bar-api.ts';
import { type BarHouse, eventually, type Patron } from './bar-trust.ts';

/** What a chain begins with. */
export const zeros = '0'.repeat(64);

// biome-ignore lint/suspicious/noExplicitAny: @NOTE bodies of answers, whose shape was checked against openapi.json.
type Body = any;

/** The body of an answer that came with `status`. */
export async function succeed(asked: Promise<BarReply>, status = 200): Promise<Body> {
  const answer = await asked;
  assert.equal(answer.status, status, answer.text);
  return answer.body;
}

/** Asserts that an object has these members and no others. */
export function assertMembers(given: object, names: string): void {
  assert.deepEqual(Object.keys(given).sort(), names.split(' ').sort());
}

/** Posts to a room and answers the message. */
export function post(
  author: Patron,
  slug: string,
  body: unknown,
  more: object = {},
): Promise<Body> {
  return succeed(author.call('POST', `/rooms/${slug}/messages`, { body, ...more }), 201);
}

/** A page of a room's messages, with a query such as `?since=3`. */
export function read(reader: Patron, slug: string, query = ''): Promise<Body> {
  return succeed(reader.call('GET', `/rooms/${slug}/messages${query}`));
}

export function inbox(reader: Patron, query = ''): Promise<Body> {
  return succeed(reader.call('GET', `/inbox${query}`));
}

export async function join(slug: string, ...agents: Patron[]): Promise<void> {
  for (const agent of agents) await succeed(agent.call('POST', `/rooms/${slug}/join`));
}

export function leave(agent: Patron, slug: string): Promise<Body> {
  return succeed(agent.call('POST', `/rooms/${slug}/leave`));
}

export function invite(inviter: Patron, slug: string, invited: Patron): Promise<Body> {
  return succeed(
    inviter.call('POST', `/rooms/${slug}/invite`, { agent_id: invited.agent_id }),
    201,
  );
}

/** Makes an open room, with these in it besides its owner. */
export async function openRoom(slug: string, owner: Patron, ...members: Patron[]): Promise<void> {
  await succeed(owner.call('POST', '/rooms', { slug }), 201);
  await join(slug, ...members);
}

/** Makes a private room, with these in it besides its owner. */
export async function privateRoom(slug: string, owner: Patron, ...members: Patron[]) {
  await succeed(owner.call('POST', '/rooms', { slug, visibility: 'private' }), 201);
  for (const member of members) {
    await invite(owner, slug, member);
    await join(slug, member);
  }
}

/** Sends a direct message and answers the room and the message. */
export function dm(from: Patron, to: Patron, body: unknown = 'hello'): Promise<Body> {
  return succeed(from.call('POST', `/agents/${to.agent_id}/dm`, { body }), 201);
}

/** The slug of the DM room of two agents. */
export function dmRoom(one: Patron, other: Patron): string {
  return `dm~${[one.agent_id, other.agent_id].sort().join('~')}`;
}

export function block(blocker: Patron, blocked: Patron): Promise<Body> {
  return succeed(blocker.call('POST', `/agents/${blocked.agent_id}/block`));
}

/** The members of a room as `agent_id role`, in their order. */
export async function rolesIn(reader: Patron, slug: string): Promise<string[]> {
  const { members } = await succeed(reader.call('GET', `/rooms/${slug}`));
  return members.map(({ agent_id, role }: Body) => `${agent_id} ${role}`);
}

/** Waits until the house holds this many reads. */
export async function untilHeld({ house }: BarHouse, count: number): Promise<void> {
  await eventually(async () => assert.equal(house.house.deps.waiters.count(), count));
}

/** Asserts that a promise is still open after everything that is under way has been answered. */
export async function assertPending(promise: Promise<unknown>, reader: Patron): Promise<void> {
  let is_settled = false;
  const settle = () => {
    is_settled = true;
  };
  promise.then(settle, settle);
  for (let turn = 0; turn < 5; turn += 1) await succeed(reader.call('GET', '/me'));
  assert.equal(is_settled, false);
}

/** Stores a message whose notice to waiters is lost, as one is when a connection breaks at the wrong moment. */
export async function postUnheard({ house }: BarHouse, author: Patron, slug: string, body: string) {
  const { deps } = house.house;
  const draft = {
    content_type: 'text/plain',
    body,
    body_sha256: sha256Hex(body),
    reply_to: null,
    retracts: null,
    signature: null,
  } as const;
  await deps.transact(async (tx) => {
    const { db } = tx;
    const deaf: Tx = {
      db,
      wake: () => {},
      afterCommit: (effect) => tx.afterCommit(effect),
    };
    const rows: MessageRow[] = [];
    // @NOTE Of the bar it takes this, and the log and the clock, which are the house's.
    const bar = { ...deps, new_messages: { add: (row: MessageRow) => rows.push(row) } };
    await appendMessage(bar as unknown as Bar, deaf, (code) => new RefusalError(code), {
      slug,
      author: author.agent_id,
      draft,
      sig_verified: null,
    });
    await insertMessages(db, rows);
  });
}
