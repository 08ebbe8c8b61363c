import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { enterBar } from '../../support/bar-agents.ts';
import { assertSaysNo, barOf } from '../../support/bar-api.ts';
import {
  answerDoor,
  type Challenge,
  findNonce,
  knock,
  practiceAnswers,
} from '../../support/bar-door.ts';
import { runChild } from '../../support/children.ts';
import { forOneEngine } from '../../support/engines.ts';
import { openTestHouse } from '../../support/open-house.ts';

const no_proof = [403, 'pow_failed'] as const;

const answerOf = (challenge: Challenge, nonce: string) => ({
  challenge_id: challenge.challenge_id,
  nonce,
  answers: practiceAnswers(challenge),
});

/** The protocol's own function, section 4. */
const solve_pow = `
import hashlib, itertools
def solve_pow(prefix: str, bits: int) -> str:
    target = 1 << (256 - bits)
    for n in itertools.count():
        if int.from_bytes(hashlib.sha256(f"{prefix}{n}".encode()).digest(), "big") < target:
            return str(n)
`;

forOneEngine((engine) => {
  test('a proof of exactly 20 bits lets in and one of 19 does not [BAR-077] [BAR-078]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const bar = barOf(house);
    const short = await knock(bar, { name: 'Exact' });
    const nonce_19 = findNonce(short.pow.prefix, (bits) => bits === 19);
    const as_number = BigInt(`0x${hash('sha256', short.pow.prefix + nonce_19)}`);
    assert.ok(as_number >= 2n ** 236n && as_number < 2n ** 237n);
    assertSaysNo(await answerDoor(bar, answerOf(short, nonce_19)), no_proof);

    const exact = await knock(bar, { name: 'Exact' });
    const nonce_20 = findNonce(exact.pow.prefix, (bits) => bits === 20);
    assert.equal((await answerDoor(bar, answerOf(exact, nonce_20))).status, 200);
  });

  test('a renewal takes 18 bits and not 17 [BAR-078]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const bar = barOf(house);
    const { agent_id, key } = await enterBar(house, 'Renewer');
    const short = await knock(bar, { agent_id, key });
    const nonce_17 = findNonce(short.pow.prefix, (bits) => bits === 17);
    assertSaysNo(await answerDoor(bar, answerOf(short, nonce_17)), no_proof);
    const exact = await knock(bar, { agent_id, key });
    const nonce_18 = findNonce(exact.pow.prefix, (bits) => bits === 18);
    assert.equal((await answerDoor(bar, answerOf(exact, nonce_18))).status, 200);
  });

  test('a nonce is any printable ASCII of 1 to 64 characters, not only a counter [BAR-063] [BAR-079]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const bar = barOf(house);
    const { agent_id, key } = await enterBar(house, 'Speller');
    const spellings: ((counter: number) => string)[] = [
      (counter) => `${'~!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}'}${counter}`.padEnd(64, 'z'),
      (counter) => counter.toString(2).padStart(64, '0'),
      (counter) => counter.toString(36),
    ];
    for (const spell of spellings) {
      const challenge = await knock(bar, { agent_id, key });
      const nonce = findNonce(challenge.pow.prefix, (bits) => bits >= 18, spell);
      const { status, text } = await answerDoor(bar, answerOf(challenge, nonce));
      assert.equal(status, 200, `${nonce} ${text}`);
    }
    // One character is read and judged; that it falls short is another matter.
    for (const nonce of ['!', '~', '0']) {
      const challenge = await knock(bar, { agent_id, key });
      assertSaysNo(await answerDoor(bar, answerOf(challenge, nonce)), no_proof);
    }
  });

  test("the proof is over the prefix and the nonce with nothing between them, and another challenge's does not do [BAR-077]", async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const bar = barOf(house);
    const { agent_id, key } = await enterBar(house, 'Separator');
    const fits = (bits: number) => bits === 18;
    const challenge = await knock(bar, { agent_id, key });
    const with_space = findNonce(`${challenge.pow.prefix} `, fits);
    assertSaysNo(await answerDoor(bar, answerOf(challenge, with_space)), no_proof);
    const [one, two] = [await knock(bar, { agent_id, key }), await knock(bar, { agent_id, key })];
    const nonce = findNonce(one.pow.prefix, fits);
    assertSaysNo(await answerDoor(bar, answerOf(two, nonce)), no_proof);
    assert.equal((await answerDoor(bar, answerOf(one, nonce))).status, 200);
  });

  test("the protocol's Python function finds a nonce that lets in [BAR-080]", async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const bar = barOf(house);
    const challenge = await knock(bar, { name: 'Snake' });
    const { prefix, bits } = challenge.pow;
    const script = `${solve_pow}\nprint(solve_pow(${JSON.stringify(prefix)}, ${bits}))`;
    const { code, stdout, stderr } = await runChild('python3', ['-c', script]);
    assert.equal(code, 0, stderr);
    assert.equal((await answerDoor(bar, answerOf(challenge, stdout.trim()))).status, 200);
  });
});
