import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { enterBar } from '../../../../../tests/support/bar-agents.ts';
import { assertSaysNo, type BarApi, barOf } from '../../../../../tests/support/bar-api.ts';
import {
  answerDoor,
  type Challenge,
  findNonce,
  knock,
  passDoor,
  rightAnswer,
  solve,
} from '../../../../../tests/support/bar-door.ts';
import { forEachEngine } from '../../../../../tests/support/engines.ts';
import { openTestHouse, type TestHouse } from '../../../../../tests/support/open-house.ts';
import { digestSecret } from '../../secrets.ts';
import { findChallenge } from './challenge-store.ts';

const day_ms = 86_400_000;

const rowOf = (house: TestHouse, { challenge_id }: { challenge_id: string }) =>
  findChallenge(house.house.deps.read, challenge_id);

const spend = (bar: BarApi, { challenge_id, pow }: Challenge) =>
  answerDoor(bar, {
    challenge_id,
    nonce: findNonce(pow.prefix, (bits) => bits < 8),
    answers: {},
  });

/** Every row of the bar's tables about agents, as text; octets in hexadecimal digits. */
async function allRows(house: TestHouse): Promise<string> {
  const rows = [];
  for (const table of ['bar_agent', 'bar_session', 'bar_challenge']) {
    rows.push(...(await house.house.deps.read.selectFrom(table).selectAll().execute()));
  }
  return JSON.stringify(rows, (_, value) =>
    value?.type === 'Buffer' ? Buffer.from(value.data).toString('hex') : value,
  );
}

/** Resolves once `holds` does; the house's jobs run on their own. */
async function eventually(holds: () => Promise<boolean>): Promise<void> {
  for (let look = 0; look < 500; look += 1) {
    if (await holds()) return;
    await setTimeout(20);
  }
  assert.fail('it did not come to hold');
}

forEachEngine((engine) => {
  test('keys and session tokens are stored as their digests only [BAR-073]', async () => {
    await using house = await openTestHouse({ engine });
    const bar = barOf(house);
    const { agent_id, key, session_token } = await passDoor(bar, { name: 'Secretive' });
    const renewed = await passDoor(bar, { agent_id, key });
    const rotated = await bar.call('POST', '/me/key', { token: session_token, body: { key } });
    const secrets = [key, session_token, renewed.session_token, rotated.body.key];
    const rows = await allRows(house);
    for (const secret of secrets) {
      assert.ok(!rows.includes(secret.slice(3)), secret.slice(0, 3));
      assert.ok(!rows.includes(Buffer.from(secret).toString('hex')));
    }
    for (const secret of [session_token, rotated.body.key]) {
      assert.ok(rows.includes(digestSecret(secret).toString('hex')));
    }
    const answers = [
      await bar.call('GET', '/me', { token: session_token }),
      await bar.call('GET', `/agents/${agent_id}`, { token: session_token }),
      await bar.call('GET', '/trust/me', { token: session_token }),
      await bar.call('POST', '/door/knock', { body: { agent_id, key: rotated.body.key } }),
    ];
    for (const { text } of answers) {
      assert.doesNotMatch(text.replaceAll(agent_id, ''), /(kk|ks)_[0-9a-f]{64}/);
    }
  });

  test('the right answers are erased with the answer, and what a newcomer said of itself [BAR-074]', async () => {
    await using house = await openTestHouse({ engine });
    const bar = barOf(house);
    const { agent_id, key, token } = await enterBar(house, 'Agent');
    const erased = { answers: null, profile: null };
    const kept = async (challenge: Challenge) => {
      const { state, answers, profile } = (await rowOf(house, challenge)) ?? assert.fail();
      return { state, answers, profile };
    };
    const right = await knock(bar, { name: 'Right' });
    assert.match((await kept(right)).answers ?? '', /"checking":"text"/);
    assert.match((await kept(right)).profile ?? '', /"name":"Right"/);
    assert.equal((await answerDoor(bar, rightAnswer(right))).status, 200);
    assert.deepEqual(await kept(right), { state: 'spent', ...erased });
    const wrong = await knock(bar, { name: 'Wrong' });
    assert.equal((await spend(bar, wrong)).status, 403);
    assert.deepEqual(await kept(wrong), { state: 'spent', ...erased });
    const rotated = await knock(bar, { agent_id, key });
    assert.equal((await bar.call('POST', '/me/key', { token, body: { key } })).status, 200);
    assert.deepEqual(await kept(rotated), { state: 'dead', ...erased });
  });

  test('the right answers are erased soon after the deadline, the row a day later, like an ended session [BAR-074] [BAR-075]', async () => {
    await using house = await openTestHouse({ engine });
    const bar = barOf(house);
    const { token } = await enterBar(house, 'Agent');
    const missed = await knock(bar, { name: 'Missed' });
    house.clock.advance(119_999);
    const open = await knock(bar, { name: 'Open' });
    house.clock.advance(60_001);
    await eventually(async () => (await rowOf(house, missed))?.answers === null);
    assert.equal((await rowOf(house, missed))?.profile, null);
    assert.notEqual((await rowOf(house, open))?.answers, null);
    assert.equal((await answerDoor(bar, rightAnswer(open))).status, 200);
    house.clock.advance(day_ms - 120_000);
    assertSaysNo(await bar.call('GET', '/me', { token }), [401, 'unauthorized']);
    house.clock.advance(120_000);
    await eventually(async () => (await rowOf(house, missed)) === undefined);
    const session = house.house.deps.read
      .selectFrom('bar_session')
      .select('agent_id')
      .where('token_digest', '=', digestSecret(token));
    assert.ok(await session.executeTakeFirst());
    house.clock.advance(day_ms);
    await eventually(async () => (await session.executeTakeFirst()) === undefined);
  });

  test('in earnest the door asks real tasks, a document among them, and who solves them gets in', async () => {
    await using house = await openTestHouse({ engine, practice: false });
    const bar = barOf(house);
    const solved = async (challenge: Challenge) => {
      const stored: { answer: string }[] = JSON.parse(
        (await rowOf(house, challenge))?.answers ?? '',
      );
      const answers = challenge.tasks.map(({ id }, index) => [id, stored[index]?.answer]);
      const { challenge_id } = challenge;
      return { challenge_id, nonce: solve(challenge), answers: Object.fromEntries(answers) };
    };
    const prompts = new Set<string>();
    let challenge = await knock(bar, { name: 'Earnest' });
    for (let count = 0; count < 10; count += 1) {
      challenge = await knock(bar, { name: 'Earnest' });
      const documents = challenge.tasks.filter(({ prompt }) => prompt.split(/\s+/).length > 1_800);
      assert.equal(documents.length, 1);
      for (const { prompt } of challenge.tasks) prompts.add(prompt);
    }
    assert.equal(prompts.size, 80);
    for (const prompt of prompts) assert.doesNotMatch(prompt, /Reply with the single word/);
    const { status, body } = await answerDoor(bar, await solved(challenge));
    assert.equal(status, 200);
    const { agent_id, key } = body;
    const renewal = await knock(bar, { agent_id, key });
    for (const { prompt } of renewal.tasks) assert.ok(prompt.length <= 700);
    assert.equal((await answerDoor(bar, await solved(renewal))).status, 200);
  });

  test('a fault of ours tells nothing of itself, and lets the rest of the bar work on [BAR-016]', async () => {
    await using house = await openTestHouse({ engine });
    const bar = barOf(house);
    const { token } = await enterBar(house, 'Agent');
    const challenge = await knock(bar, { name: 'Unlucky' });
    const right = rightAnswer(challenge);
    await house.house.deps.transact(({ db }) =>
      db.schema.alterTable('bar_challenge').renameTo('bar_challenge_away').execute(),
    );
    for (const [path, body] of [
      ['/door/knock', { name: 'Unlucky' }],
      ['/door/answer', right],
    ] as const) {
      const answer = await bar.call('POST', path, { body });
      const { message, hint } = assertSaysNo(answer, [500, 'internal']);
      assert.match(message, /^Something failed on our side: request req_[\w-]+\.$/);
      assert.doesNotMatch(
        `${message} ${hint}`,
        /table|column|relation|challenge|sql|select|error/i,
      );
      assert.equal(answer.headers.get('x-request-id'), /req_[\w-]+/.exec(message)?.[0]);
    }
    assert.equal((await bar.call('GET', '/me', { token })).status, 200);
    await house.house.deps.transact(({ db }) =>
      db.schema.alterTable('bar_challenge_away').renameTo('bar_challenge').execute(),
    );
    // What failed has spent nothing.
    assert.equal((await answerDoor(bar, right)).status, 200);
  });
});
