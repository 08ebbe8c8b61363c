import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSaysNo, barOf } from '../../support/bar-api.ts';
import {
  answerDoor,
  type Challenge,
  findNonce,
  knock,
  one_prefix,
  passDoor,
  practiceAnswers,
  rightAnswer,
} from '../../support/bar-door.ts';
import { engines, forEachEngine } from '../../support/engines.ts';
import { whileWritesWait } from '../../support/hold-writes.ts';
import { openTestHouse, test_start } from '../../support/open-house.ts';

const bad = [400, 'bad_request'] as const;
const conflict = [409, 'conflict'] as const;
const expired = [410, 'challenge_expired'] as const;
const unknown = [404, 'not_found'] as const;
const no_proof = [403, 'pow_failed'] as const;
const day_ms = 86_400_000;

/** An answer that fails by its proof and costs nothing to make. */
const unproven = ({ challenge_id, pow }: Challenge) => ({
  challenge_id,
  nonce: findNonce(pow.prefix, (bits) => bits < 8),
  answers: {},
});

forEachEngine((engine) => {
  test('the right answer lets a newcomer in and hands out its key and session [BAR-056] [BAR-057] [BAR-058] [BAR-059] [BAR-009] [BAR-010] [BAR-055]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const said = {
      name: ' Marginalia ',
      description: 'Checks citations.\n',
      capabilities: ['Citations', 'python'],
    };
    const challenge = await knock(bar, said);
    const prompts = challenge.tasks.map(({ prompt }) => prompt);
    for (const prompt of prompts) assert.match(prompt, /^Reply with the single word: [a-z]+$/);
    house.clock.advance(72_999);
    const { status, body } = await answerDoor(bar, rightAnswer(challenge));
    assert.equal(status, 200);
    const { welcome, agent_id, key, key_notice, session_token, next_steps, ...others } = body;
    assert.deepEqual(others, { expires_at: '2026-09-08T12:01:12Z', state: 'probation' });
    assert.match(agent_id, /^ag_[0-9a-f]{16}$/);
    assert.match(key, /^kk_[0-9a-f]{64}$/);
    assert.match(session_token, /^ks_[0-9a-f]{64}$/);
    for (const text of [welcome, key_notice, ...next_steps]) {
      assert.ok(typeof text === 'string' && text !== '');
    }
    assert.ok(next_steps.length > 0);

    const me = await bar.call('GET', '/me', { token: session_token });
    assert.deepEqual(me.body, {
      agent_id,
      name: 'Marginalia',
      description: 'Checks citations.\n',
      capabilities: ['citations', 'python'],
      pubkey: null,
      state: 'probation',
      joined_at: '2026-09-07T12:01:12Z',
      last_seen_at: '2026-09-07T12:01:12Z',
    });
    const { body: list } = await bar.call('GET', '/rooms', { token: session_token });
    assert.deepEqual(
      list.rooms.map(({ slug, joined, role }: Record<string, unknown>) => [slug, joined, role]),
      [['the-bar', false, null]],
    );
    const other = await passDoor(bar, { name: 'Other' });
    assert.notEqual(other.agent_id, agent_id);
    assert.notEqual(other.key, key);
  });

  test('answers may be wrapped, spaced and in any case; ids that were not asked are ignored [BAR-051] [BAR-052] [BAR-061]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const challenge = await knock(bar, { name: 'Lenient' });
    const wrap: ((word: string) => string)[] = [
      (word) => `"${word}"`,
      (word) => `'${word}'`,
      (word) => `\u201c${word}\u201d`,
      (word) => `\u2018${word}\u2019.`,
      (word) => `\`${word.toUpperCase()}\``,
      (word) => `${word}.`,
      (word) => `  \n${word}\t `,
      (word) => `" ${word} ".`,
    ];
    const right = rightAnswer(challenge);
    const answers = Object.fromEntries([
      ...Object.entries(right.answers).map(([id, word], index) => [id, wrap[index]?.(word)]),
      ['t9', 'more'],
      ['T1', 7],
    ]);
    const { status, text } = await answerDoor(bar, { ...right, answers, other: true });
    assert.equal(status, 200, text);
  });

  test('a request that is not of the right form spends nothing [BAR-060] [BAR-062] [BAR-063] [BAR-013]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const challenge = await knock(bar, { name: 'Clumsy' });
    const right = rightAnswer(challenge);
    const { challenge_id, nonce, answers } = right;
    const refused: [about: string, body: unknown][] = [
      ['challenge_id', { nonce, answers }],
      ['challenge_id', { challenge_id: null, nonce, answers }],
      ['challenge_id', { challenge_id: 7, nonce, answers }],
      ['nonce', { challenge_id, answers }],
      ['nonce', { challenge_id, nonce: Number(nonce), answers }],
      ['nonce', { challenge_id, nonce: null, answers }],
      ['nonce', { challenge_id, nonce: '', answers }],
      ['nonce', { challenge_id, nonce: 'x'.repeat(65), answers }],
      ['nonce', { challenge_id, nonce: ` ${nonce}`, answers }],
      ['nonce', { challenge_id, nonce: `${nonce}\n`, answers }],
      ['nonce', { challenge_id, nonce: `${nonce}\u0000`, answers }],
      ['nonce', { challenge_id, nonce: `${nonce}\u007f`, answers }],
      ['nonce', { challenge_id, nonce: `${nonce}é`, answers }],
      ['answers', { challenge_id, nonce }],
      ['answers', { challenge_id, nonce, answers: null }],
      ['answers', { challenge_id, nonce, answers: Object.values(answers) }],
      ['answers', { challenge_id, nonce, answers: 'wednesday' }],
      ['answers', { challenge_id, nonce, answers: { ...answers, t3: null } }],
      ['answers', { challenge_id, nonce, answers: { ...answers, t3: true } }],
      ['answers', { challenge_id, nonce, answers: { ...answers, t3: ['x'] } }],
      ['answers', { challenge_id, nonce, answers: { ...answers, t3: { x: 1 } } }],
      ['answers', { challenge_id, nonce, answers: { ...answers, other: null } }],
      ['body', 'no JSON'],
      ['body', [right]],
      ['body', undefined],
    ];
    for (const [about, body] of refused) {
      const answer = await bar.call('POST', '/door/answer', {
        body,
        headers: { 'content-type': 'application/json' },
      });
      assertSaysNo(answer, bad, { about, what: JSON.stringify(body) });
    }
    const { message } = assertSaysNo(
      await answerDoor(bar, { challenge_id, nonce, answers: { ...answers, t3: null } }),
      bad,
    );
    assert.match(message, /\bt3\b/);
    assert.equal((await answerDoor(bar, right)).status, 200);
  });

  test('a proof that falls short spends the challenge and tells nothing of the tasks [BAR-064] [BAR-067] [BAR-069]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const challenge = await knock(bar, { name: 'Impatient' });
    const { challenge_id, nonce } = unproven(challenge);
    const answers = practiceAnswers(challenge);
    assertSaysNo(await answerDoor(bar, { challenge_id, nonce, answers }), no_proof);
    assertSaysNo(await answerDoor(bar, rightAnswer(challenge)), conflict);

    const wrong = await knock(bar, { name: 'Impatient' });
    assertSaysNo(await answerDoor(bar, unproven(wrong)), no_proof);
    assertSaysNo(await answerDoor(bar, unproven(wrong)), conflict);
  });

  test('7 of 8 are counted, not named, and spend the challenge [BAR-065] [BAR-066] [BAR-060] [BAR-061] [BAR-069]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const failed = [403, 'challenge_failed'] as const;
    const ways: ((answers: Record<string, unknown>) => Record<string, unknown>)[] = [
      ({ t4: _, ...others }) => others,
      (answers) => ({ ...answers, t1: 'wrong' }),
      // A number is its decimal text, which here is no word.
      (answers) => ({ ...answers, t8: 42 }),
    ];
    const refusals = [];
    for (const way of ways) {
      const right = rightAnswer(await knock(bar, { name: 'Careless' }));
      const wrong = { ...right, answers: way(right.answers) };
      const more = { correct: 7, total: 8, pass_mark: 8 };
      refusals.push(assertSaysNo(await answerDoor(bar, wrong), failed, { more }));
      assertSaysNo(await answerDoor(bar, right), conflict);
    }
    // Whichever was wrong, the refusal is the same.
    assert.deepEqual(refusals[1], refusals[0]);
    assert.deepEqual(refusals[2], refusals[0]);
    const right = rightAnswer(await knock(bar, { name: 'Careless' }));
    const none = await answerDoor(bar, { ...right, answers: {} });
    assertSaysNo(none, failed, { more: { correct: 0, total: 8, pass_mark: 8 } });
  });

  test('an unknown challenge is not found [BAR-068]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const { challenge_id } = await knock(bar, { name: 'Lost' });
    const ids = [
      `ch_${'0'.repeat(32)}`,
      challenge_id.toUpperCase(),
      `${challenge_id} `,
      '',
      'ch_',
      'x'.repeat(10_000),
      '\u0000',
      '🥛',
      "' or 1=1 --",
    ];
    const refusals = new Set<string>();
    for (const id of ids) {
      const answer = await answerDoor(bar, { challenge_id: id, nonce: '0', answers: {} });
      assertSaysNo(answer, unknown, { what: id });
      refusals.add(answer.text);
    }
    assert.equal(refusals.size, 1);
    const broken = '{"challenge_id": "\\ud800", "nonce": "0", "answers": {}}';
    assertSaysNo(await answerDoor(bar, broken), unknown);
  });

  test('an admission is judged 119 s after the knock and over 120 s after it [BAR-070] [BAR-026]', async () => {
    await using house = await openTestHouse({
      engine,
      rooms: ['bar'],
      random: one_prefix,
      start: test_start + 300,
    });
    const bar = barOf(house);
    const in_time = await knock(bar, { name: 'In time' });
    const late = await knock(bar, { name: 'Late' });
    house.clock.advance(119_999);
    assert.equal((await answerDoor(bar, rightAnswer(in_time))).status, 200);
    house.clock.advance(1);
    assertSaysNo(await answerDoor(bar, rightAnswer(late)), expired);
    assertSaysNo(await answerDoor(bar, unproven(late)), expired);
    // An answered challenge stays answered, also past its deadline.
    assertSaysNo(await answerDoor(bar, unproven(in_time)), conflict);
    const { status } = await bar.call('POST', '/door/knock', { body: { name: 'Late' } });
    assert.equal(status, 200, 'the name was not kept');
  });

  test('a challenge is remembered for a day after its deadline, answered or not [BAR-075] [BAR-069]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const spent = await knock(bar, { name: 'Spent' });
    const missed = await knock(bar, { name: 'Missed' });
    assertSaysNo(await answerDoor(bar, unproven(spent)), no_proof);
    house.clock.advance(120_000 + day_ms - 1);
    assertSaysNo(await answerDoor(bar, unproven(spent)), conflict);
    assertSaysNo(await answerDoor(bar, unproven(missed)), expired);
    house.clock.advance(1);
    assertSaysNo(await answerDoor(bar, unproven(spent)), unknown);
    assertSaysNo(await answerDoor(bar, unproven(missed)), unknown);
  });

  test('a name goes to the first right answer; whoever comes later has spent the challenge [BAR-071] [BAR-036]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const slow = await knock(bar, { name: 'Twin' });
    const wrong = await knock(bar, { name: 'tWiN' });
    const quick = await passDoor(bar, { name: 'TWIN' });
    // That the name has gone is told only to who has done the work.
    assertSaysNo(await answerDoor(bar, unproven(wrong)), no_proof);
    assertSaysNo(await answerDoor(bar, rightAnswer(slow)), [409, 'name_taken']);
    assertSaysNo(await answerDoor(bar, rightAnswer(slow)), conflict);
    const { body } = await bar.call('GET', '/agents', { token: quick.session_token });
    assert.deepEqual(
      body.agents.map(({ name }: { name: string }) => name),
      ['TWIN'],
    );
  });

  test('of 20 identical right answers at once one gets in [BAR-072]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const right = rightAnswer(await knock(bar, { name: 'Hasty' }));
    const answers = await whileWritesWait(house, () =>
      Array.from({ length: 20 }, () => answerDoor(bar, right)),
    );
    const [entered, ...more] = answers.filter(({ status }) => status === 200);
    assert.ok(entered);
    assert.equal(more.length, 0);
    for (const answer of answers.filter((one) => one !== entered)) assertSaysNo(answer, conflict);
    const { body } = await bar.call('GET', '/agents', { token: entered.body.session_token });
    assert.equal(body.agents.length, 1);
  });

  test('of two newcomers who answer for one name at once one gets in [BAR-071]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const rights: ReturnType<typeof rightAnswer>[] = [];
    for (const name of ['Same', 'SAME']) rights.push(rightAnswer(await knock(bar, { name })));
    const answers = await whileWritesWait(house, () =>
      rights.map((right) => answerDoor(bar, right)),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    const refused = answers.find(({ status }) => status === 409);
    assert.equal(refused?.body.error.code, 'name_taken');
  });

  test('a challenge outlives a restart, and so do agents and sessions', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const open = await knock(bar, { name: 'Patient' });
    const spent = await knock(bar, { name: 'Hasty' });
    assertSaysNo(await answerDoor(bar, unproven(spent)), no_proof);
    await house.restart();
    assertSaysNo(await answerDoor(bar, unproven(spent)), conflict);
    const { status, body } = await answerDoor(bar, rightAnswer(open));
    assert.equal(status, 200);
    await house.restart();
    const me = await bar.call('GET', '/me', { token: body.session_token });
    assert.equal(me.body.name, 'Patient');
    assert.equal(
      (await bar.call('POST', '/door/knock', { body: { name: 'Patient' } })).status,
      409,
    );
  });
});

if (engines.includes('postgres')) {
  test('of one challenge answered at two houses with one database one answer counts [BAR-072]', async () => {
    await using house = await openTestHouse({
      engine: 'postgres',
      rooms: ['bar'],
      random: one_prefix,
    });
    await using beside = await openTestHouse({
      engine: 'postgres',
      rooms: ['bar'],
      random: one_prefix,
      beside: house,
    });
    const bars = [barOf(house), barOf(beside)] as const;
    const right = rightAnswer(await knock(bars[0], { name: 'Everywhere' }));
    const answers = await whileWritesWait(house, () =>
      Array.from({ length: 10 }, (_, index) => answerDoor(bars[index % 2 ? 1 : 0], right)),
    );
    const entered = answers.filter(({ status }) => status === 200);
    assert.equal(entered.length, 1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      assertSaysNo(answer, conflict);
    }
    const token = entered[0]?.body.session_token;
    for (const bar of bars) assert.equal((await bar.call('GET', '/me', { token })).status, 200);
  });
}
