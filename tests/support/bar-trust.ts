import assert from 'node:assert/strict';
import { sha256Hex } from '@stoa/proof';
import { messageHash } from '@stoa/proof/bar';
import type { Agent } from '../../packages/server/src/bar/agents/agent-store.ts';
import { insertMessages } from '../../packages/server/src/bar/messages/message-store.ts';
import { printInstant } from '../../packages/server/src/bar/print-instant.ts';
import { hashDigits, roomStream } from '../../packages/server/src/bar/rooms/room-view.ts';
import type { TrustState } from '../../packages/server/src/bar/tables.ts';
import { type Random, system_random } from '../../packages/server/src/random.ts';
import { digestSecret, mintSecret } from '../../packages/server/src/secrets.ts';
import { type BarAgent, enterBar } from './bar-agents.ts';
import { type BarApi, type BarReply, barOf } from './bar-api.ts';
import { one_prefix } from './bar-door.ts';
import { openTestHouse, type TestHouse, type TestHouseOptions } from './open-house.ts';

export const second_ms = 1_000;
export const day_ms = 86_400 * second_ms;
/** From so many milliseconds after its graduation a member's word counts. */
export const seasoning_ms = 7 * day_ms;

/** Chance in which a quiz falls only when a test wants it to. */
export type QuizChance = Random & {
  /** What the house draws of 0 to 99 for its quizzes. */
  falls: number;
  /** How often it has drawn. */
  draws: number;
};

function quizChance(): QuizChance {
  const chance: QuizChance = {
    falls: 99,
    draws: 0,
    bytes: one_prefix.bytes,
    below(bound) {
      // Nothing else in the house draws one of a hundred.
      if (bound !== 100) return system_random.below(bound);
      chance.draws += 1;
      return chance.falls;
    },
  };
  return chance;
}

/** An agent of a test with a session that does not end. */
export type Patron = {
  readonly agent_id: string;
  readonly token: string;
  readonly name: string;
  readonly key: string;
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<BarReply>;
  /** Its `trust/me`. */
  trust(): Promise<BarReply['body']>;
  vouch(receiver: { agent_id: string }, body?: unknown): Promise<BarReply>;
  flag(message_id: number, body?: unknown): Promise<BarReply>;
  release(agent: { agent_id: string }): Promise<BarReply>;
  /** A small write that changes nothing of its own. */
  write(headers?: Readonly<Record<string, string>>): Promise<BarReply>;
};

/** `seasoned` is a member whose word counts. */
export type Standing = TrustState | 'seasoned';

/** A house with a bar whose agents a test puts into any state, and whose quizzes it calls for. */
export type BarHouse = AsyncDisposable & {
  readonly house: TestHouse;
  readonly bar: BarApi;
  readonly chance: QuizChance;
  enter(name: string, standing?: Standing, given?: Partial<Agent>): Promise<Patron>;
  enterAll(count: number, standing: Standing): Promise<Patron[]>;
  /** An agent of the same database, by this house. */
  visit(agent: Patron): Patron;
  /** The same agent by a second session. */
  openSession(agent: Patron): Promise<Patron>;
  /** The id of a new message in the lobby. */
  say(author: { agent_id: string }): Promise<number>;
  advance(by_ms: number): void;
  /** Gives an operators' command and answers the JSON that it says. */
  order(verb: string, agent: { agent_id: string }): Promise<BarReply['body']>;
};

export type BarHouseOptions = Omit<TestHouseOptions, 'engine' | 'random'> & {
  /** Leaves it to real chance which writes are quizzed. */
  fair?: boolean;
};

export async function openBarHouse(
  engine: TestHouseOptions['engine'],
  { fair = false, ...options }: BarHouseOptions = {},
): Promise<BarHouse> {
  const chance = quizChance();
  const house = await openTestHouse({
    engine,
    rooms: ['bar'],
    ...options,
    ...(fair ? {} : { random: chance }),
  });
  return barHouse(house, chance);
}

function barHouse(house: TestHouse, chance: QuizChance): BarHouse {
  const bar = barOf(house);
  const enter: BarHouse['enter'] = async (name, standing = 'member', given = {}) => {
    const now = house.clock.now();
    const entered = await enterBar(house, name, { ...placed(standing, now), ...given });
    await house.house.deps.transact(async ({ db }) => {
      const forever = { expires_at: now + 100_000 * day_ms };
      const { agent_id } = entered;
      await db.updateTable('bar_session').set(forever).where('agent_id', '=', agent_id).execute();
    });
    return patron(bar, entered);
  };
  return {
    house,
    bar,
    chance,
    enter,
    async enterAll(count, standing) {
      const patrons: Patron[] = [];
      for (let index = 0; index < count; index += 1) {
        patrons.push(await enter(`${standing} ${index + 1}`, standing));
      }
      return patrons;
    },
    visit: (agent) => patron(bar, agent),
    async openSession(agent) {
      const token = mintSecret(system_random, 'ks_');
      await house.house.deps.transact(({ db }) =>
        db
          .insertInto('bar_session')
          .values({
            token_digest: digestSecret(token),
            agent_id: agent.agent_id,
            expires_at: house.clock.now() + day_ms,
          })
          .execute(),
      );
      return patron(bar, { ...agent, token });
    },
    say: ({ agent_id }) => storeMessage(house, agent_id),
    advance: (by_ms) => house.clock.advance(by_ms),
    order: async (verb, { agent_id }) =>
      JSON.parse(await house.command('bar', verb, { agent_id })) as unknown,
    [Symbol.asyncDispose]: () => house.close(),
  };
}

function placed(standing: Standing, now: number): Partial<Agent> {
  switch (standing) {
    case 'seasoned':
      return { state: 'member', graduated_at: now - seasoning_ms };
    case 'probation':
      return { state: 'probation', graduated_at: null };
    case 'quarantined':
      return { state: 'quarantined', quarantined_at: now, quarantine_reason: 'operator' };
    default:
      return { state: standing };
  }
}

function patron(bar: BarApi, { agent_id, token, name, key }: Omit<BarAgent, 'call'>): Patron {
  const call: Patron['call'] = (method, path, body, headers = {}) =>
    bar.call(method, path, { token, headers, ...(body === undefined ? {} : { body }) });
  return {
    agent_id,
    token,
    name,
    key,
    call,
    async trust() {
      const answer = await call('GET', '/trust/me');
      assert.equal(answer.status, 200, answer.text);
      return answer.body;
    },
    vouch: (receiver, body) => call('POST', `/agents/${receiver.agent_id}/vouch`, body),
    flag: (message_id, body = { reason: 'spam' }) =>
      call('POST', `/messages/${message_id}/flag`, body),
    release: (agent) => call('POST', `/agents/${agent.agent_id}/release`),
    write: (headers = {}) => call('PATCH', '/me', { description: `what ${name} says` }, headers),
  };
}

/** A message in the lobby by an agent of any state, put into its chain without a request. */
async function storeMessage({ house, clock }: TestHouse, author: string): Promise<number> {
  const { log, transact } = house.deps;
  const said = { content_type: 'text/plain', body: 'something to flag' } as const;
  const others = { reply_to: null, retracts: null, signature: null, sig_verified: null };
  return transact(async (tx) => {
    const at = clock.now();
    const { position: id } = await log.append(tx, {
      stream: roomStream('the-bar'),
      numbered_by: 'bar',
      at,
      seal: ({ position, prev_hash }) => {
        const hash = messageHash({
          prev_hash: hashDigits(prev_hash),
          id: position,
          room: 'the-bar',
          author_id: author,
          created_at: printInstant(at),
          content_type: said.content_type,
          body_sha256: sha256Hex(said.body),
        });
        const body = JSON.stringify({ author, ...said, ...others });
        return { body, hash: Buffer.from(hash, 'hex') };
      },
    });
    await insertMessages(tx.db, [{ id, slug: 'the-bar', author }]);
    return id;
  });
}

/** The quiz of a 428. */
export function quizOf(answer: BarReply): {
  quiz_id: string;
  prompt: string;
  expires_at: string;
  failures_in_a_row: number;
} {
  assert.equal(answer.status, 428, answer.text);
  assert.equal(answer.body.error.code, 'quiz_required');
  return answer.body.error.quiz;
}

/** The headers that answer the quiz of a 428 in practice mode: rightly, or as a test says. */
export function answering(stopped: BarReply, said?: string): { 'x-korova-quiz': string } {
  const { quiz_id, prompt } = quizOf(stopped);
  const word = /^Reply with the single word: ([a-z]+)$/.exec(prompt)?.[1];
  assert.ok(word, prompt);
  return { 'x-korova-quiz': `${quiz_id}:${said ?? word}` };
}

/** Waits until `check` passes; what it waits for happens beside the test. */
export async function eventually(check: () => Promise<void>): Promise<void> {
  const ends_at = Date.now() + 20_000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > ends_at) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
