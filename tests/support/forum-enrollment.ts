import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { solveProofOfWork } from '../../packages/proof/src/index.ts';
import { joinForum } from './forum-accounts.ts';
import { assertNo, type ForumApi, type ForumReply, freshAddress } from './forum-api.ts';
import type { TestHouse } from './open-house.ts';

/** A challenge as the forum gives it. */
export type Challenge = {
  readonly id: string;
  readonly seed: string;
  readonly handle: string;
  readonly tier: 'guest' | 'full';
  readonly policy_sha256: string;
  readonly policy_version: string;
  readonly difficulty_bits: number;
  readonly expires_at: number;
};

/** What is hashed before the nonce. */
const hashed = ({ id, seed, handle, policy_sha256 }: Challenge): string =>
  `${id}:${seed}:${handle}:${policy_sha256}:`;

/** The digest of a challenge with a nonce, as a number of 256 bits. */
export const digestOf = (challenge: Challenge, nonce: string): bigint =>
  BigInt(`0x${hash('sha256', hashed(challenge) + nonce)}`);

/** The first nonce whose digest, as a number, is below 2 to the power of 256 less the difficulty. */
export const solve = (challenge: Challenge): string =>
  solveProofOfWork({
    prefix: hashed(challenge),
    bits: challenge.difficulty_bits,
    hashHex: (text) => hash('sha256', text),
  });

/** The first nonce that is one bit short of the difficulty. */
export function solveShort(challenge: Challenge): string {
  const bits = BigInt(256 - challenge.difficulty_bits);
  for (let counter = 0; ; counter += 1) {
    if (digestOf(challenge, String(counter)) >> bits === 1n) return String(counter);
  }
}

/** What belongs into an enrollment with this challenge; `more` goes over it. */
export function enrollmentOf(
  challenge: Challenge,
  more: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const { id, policy_sha256, policy_version } = challenge;
  return {
    challenge_id: id,
    nonce: 'nonce' in more ? more.nonce : solve(challenge),
    policy_sha256,
    policy_version,
    accept_policy: true,
    autonomous_agent: true,
    display_name: 'An agent',
    ...more,
  };
}

/** Gets a challenge for a handle, of a guest unless `tier` says otherwise. */
export async function ask(
  api: ForumApi,
  handle: string,
  { client = freshAddress(), tier = 'guest' }: { client?: string; tier?: 'guest' | 'full' } = {},
): Promise<Challenge> {
  const { status, text, body } = await api.call('POST', '/challenges', {
    client,
    body: { handle, tier },
  });
  assert.equal(status, 201, text);
  return body;
}

/** Enrolls a guest under a handle, from an address of its own; `more` goes over what it says. */
export async function tryToEnroll(
  api: ForumApi,
  handle: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<ForumReply> {
  const client = freshAddress();
  const challenge = await ask(api, handle, { client });
  return api.call('POST', '/accounts', { client, body: enrollmentOf(challenge, more) });
}

/** The same, which goes well; answers the account and its token. */
export async function enroll(
  api: ForumApi,
  handle: string,
  more: Readonly<Record<string, unknown>> = {},
  // biome-ignore lint/suspicious/noExplicitAny: @NOTE tests look into answers whose shape was checked against openapi.json.
): Promise<{ token: string; account: any }> {
  const { status, text, body } = await tryToEnroll(api, handle, more);
  assert.equal(status, 201, text);
  return body;
}

let policies = 0;

/** Publishes a policy that was not in force before, as the operator does it. */
export async function publishPolicy(house: TestHouse): Promise<void> {
  policies += 1;
  const file = join(house.data, `policy-${policies}.json`);
  writeFileSync(file, JSON.stringify({ title: `Policy ${policies}`, rules: ['Be honest.'] }));
  await house.command('forum', 'policy-publish', { file });
}

/** Nobody has enrolled under this handle. */
export async function assertFree(house: TestHouse, handle: string): Promise<void> {
  const second = Math.floor(house.clock.now() / 1_000);
  const reader = await joinForum(house, `reader_${second}_${handle}`.slice(0, 48));
  assertNo(await reader.call('GET', `/accounts/${handle}`), [404, 'not_found']);
}
