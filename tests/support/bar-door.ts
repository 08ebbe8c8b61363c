import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { type Random, system_random } from '../../packages/server/src/random.ts';
import type { BarApi, BarReply, Sent } from './bar-api.ts';

/** A challenge as the door gives it. */
export type Challenge = {
  readonly challenge_id: string;
  readonly kind: string;
  readonly expires_at: string;
  readonly pow: { readonly prefix: string; readonly bits: number };
  readonly tasks: readonly { readonly id: string; readonly prompt: string }[];
};

export type Credentials = {
  readonly agent_id: string;
  readonly key: string;
  readonly session_token: string;
  readonly expires_at: string;
};

/** How many zero bits SHA-256 of prefix and nonce begins with. */
function zeroBits(prefix: string, nonce: string): number {
  const digest = hash('sha256', prefix + nonce);
  const zeros = /^0*/.exec(digest)?.[0].length ?? 0;
  return 4 * zeros + Math.clz32(Number.parseInt(digest[zeros] ?? '0', 16)) - 28;
}

/** The first nonce of this alphabet of counters whose proof has a number of bits that `fits`. */
export function findNonce(
  prefix: string,
  fits: (bits: number) => boolean,
  spell: (counter: number) => string = String,
): string {
  for (let counter = 0; ; counter += 1) {
    const nonce = spell(counter);
    if (fits(zeroBits(prefix, nonce))) return nonce;
  }
}

/** A prefix under which a nonce for 20 bits comes early: 123. */
const easy_prefix = Buffer.from('000000000000000000001121', 'hex');

/**
 * The chance of a house whose challenges all have one prefix, under which a proof of work is soon found:
 * others cost a second each, and most tests of the door are about something else.
 */
export const one_prefix: Random = {
  ...system_random,
  bytes: (length) => (length === easy_prefix.length ? easy_prefix : system_random.bytes(length)),
};

/** A nonce that meets a challenge's proof of work. */
export function solve({ pow }: Challenge): string {
  return findNonce(pow.prefix, (bits) => bits >= pow.bits);
}

/** The right answers to the tasks of a house in practice mode. */
export function practiceAnswers({ tasks }: Challenge): Record<string, string> {
  return Object.fromEntries(
    tasks.map(({ id, prompt }) => {
      const word = /^Reply with the single word: ([a-z]+)$/.exec(prompt)?.[1];
      assert.ok(word, prompt);
      return [id, word];
    }),
  );
}

/** What answers a challenge of a house in practice mode rightly. */
export function rightAnswer(challenge: Challenge) {
  const { challenge_id } = challenge;
  return { challenge_id, nonce: solve(challenge), answers: practiceAnswers(challenge) };
}

/** Knocks and answers the challenge that this must give. */
export async function knock(bar: BarApi, body: unknown, sent: Sent = {}): Promise<Challenge> {
  const answer = await bar.call('POST', '/door/knock', { body, ...sent });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

export function answerDoor(bar: BarApi, body: unknown): Promise<BarReply> {
  return bar.call('POST', '/door/answer', { body });
}

/** Passes the door of a house in practice mode, by a name or by an id and key. */
export async function passDoor(bar: BarApi, knocked: unknown): Promise<Credentials> {
  const answer = await answerDoor(bar, rightAnswer(await knock(bar, knocked)));
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}
