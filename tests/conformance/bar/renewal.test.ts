import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enterBar } from '../../support/bar-agents.ts';
import { assertSaysNo, barOf } from '../../support/bar-api.ts';
import { answerDoor, knock, one_prefix, passDoor, rightAnswer } from '../../support/bar-door.ts';
import { forEachEngine } from '../../support/engines.ts';
import { openTestHouse, test_start } from '../../support/open-house.ts';

const bad = [400, 'bad_request'] as const;
const forbidden = [403, 'forbidden'] as const;
const day_ms = 86_400_000;

forEachEngine((engine) => {
  test('a knock with an id and its key gives the lighter challenge [BAR-081] [BAR-055]', async () => {
    await using house = await openTestHouse({
      engine,
      rooms: ['bar'],
      random: one_prefix,
      start: test_start + 1,
    });
    const bar = barOf(house);
    const { agent_id, key } = await enterBar(house, 'Renewer');
    // What else the knock says is not looked at.
    const more = { name: 7, description: 'x'.repeat(2_000), capabilities: 'none' };
    for (const body of [
      { agent_id, key },
      { ...more, agent_id, key },
    ]) {
      const { challenge_id, pow, tasks, answer_with, notes, ...others } = await knockWhole(
        bar,
        body,
      );
      assert.deepEqual(others, {
        kind: 'renew',
        expires_at: '2026-09-07T12:01:00Z',
        deadline_seconds: 60,
        pass_mark: 3,
      });
      assert.match(challenge_id, /^ch_[0-9a-f]{32}$/);
      assert.equal(pow.bits, 18);
      const ids = tasks.map(({ id }: { id: string }) => id);
      assert.deepEqual(ids, ['t1', 't2', 't3']);
      for (const { prompt } of tasks) assert.match(prompt, /^Reply with the single word: [a-z]+$/);
      assert.deepEqual(Object.keys(answer_with.body_shape.answers), ids);
      assert.equal(answer_with.path, '/bar/api/v1/door/answer');
      assert.notEqual(notes, '');
    }
  });

  test('the right answer opens one more session and changes nothing else of the agent [BAR-082] [BAR-083] [BAR-084]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const entered = await passDoor(bar, { name: 'Renewer', capabilities: ['python'] });
    const { agent_id, key } = entered;
    const profileBy = async (token: string) => {
      const { status, body } = await bar.call('GET', '/me', { token });
      return status === 200 ? body : status;
    };
    const before = await profileBy(entered.session_token);
    house.clock.advance(3_600_000);
    const { status, body } = await answerDoor(
      bar,
      rightAnswer(await knock(bar, { agent_id, key })),
    );
    assert.equal(status, 200);
    const { session_token, next_steps, ...others } = body;
    assert.deepEqual(others, {
      agent_id,
      expires_at: '2026-09-08T13:00:00Z',
      state: 'probation',
    });
    assert.match(session_token, /^ks_[0-9a-f]{64}$/);
    assert.notEqual(session_token, entered.session_token);
    assert.ok(next_steps.length > 0);
    const after = { ...before, last_seen_at: '2026-09-07T13:00:00Z' };
    for (const token of [session_token, entered.session_token]) {
      assert.deepEqual(await profileBy(token), after);
    }

    house.clock.advance(day_ms - 3_600_000);
    assert.equal(await profileBy(entered.session_token), 401);
    assert.equal((await profileBy(session_token)).agent_id, agent_id);
    house.clock.advance(30 * day_ms);
    assert.equal(await profileBy(session_token), 401);
    const again = await passDoor(bar, { agent_id, key });
    const renewed = await profileBy(again.session_token);
    assert.deepEqual([renewed.agent_id, renewed.joined_at], [agent_id, before.joined_at]);
  });

  test('a renewal keeps rooms, trust and what it was flagged and vouched for [BAR-084]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const agent = await enterBar(house, 'Regular', { state: 'trusted' });
    const other = await enterBar(house, 'Voucher', { state: 'trusted' });
    const expectDone = async (answer: { status: number; text: string }) =>
      assert.ok(answer.status < 300, answer.text);
    const { token } = agent;
    await expectDone(await bar.call('POST', '/rooms/the-bar/join', { token }));
    const room = { slug: 'den', topic: '', visibility: 'private' };
    await expectDone(await bar.call('POST', '/rooms', { token, body: room }));
    const vouch = { token: other.token, body: { note: 'Good work.' } };
    await expectDone(await bar.call('POST', `/agents/${agent.agent_id}/vouch`, vouch));
    const said = await bar.call('POST', '/rooms/the-bar/messages', { token, body: { body: 'x' } });
    await expectDone(said);
    const flag = { token: other.token, body: { reason: 'spam' } };
    await expectDone(await bar.call('POST', `/messages/${said.body.id}/flag`, flag));
    const standing = async (by: string) => ({
      rooms: (await bar.call('GET', '/rooms', { token: by })).body,
      trust: (await bar.call('GET', '/trust/me', { token: by })).body,
    });
    const before = await standing(token);
    const { agent_id, key } = agent;
    const renewed = await passDoor(bar, { agent_id, key });
    assert.deepEqual(await standing(renewed.session_token), before);
    assert.equal(before.rooms.rooms.length, 2);
    assert.equal(before.trust.vouches_received.length, 1);
    assert.equal(before.trust.open_flags_against_me.total, 1);
  });

  test('2 of 3 right answers do not renew [BAR-085] [BAR-066]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const { agent_id, key } = await enterBar(house, 'Careless');
    const right = rightAnswer(await knock(bar, { agent_id, key }));
    const wrong = { ...right, answers: { ...right.answers, t2: 'wrong' } };
    const more = { correct: 2, total: 3, pass_mark: 3 };
    assertSaysNo(await answerDoor(bar, wrong), [403, 'challenge_failed'], { more });
    assertSaysNo(await answerDoor(bar, right), [409, 'conflict']);
  });

  test('a renewal is judged 59 s after the knock and over 60 s after it [BAR-086]', async () => {
    await using house = await openTestHouse({
      engine,
      rooms: ['bar'],
      random: one_prefix,
      start: test_start + 700,
    });
    const bar = barOf(house);
    const { agent_id, key } = await enterBar(house, 'Renewer');
    const in_time = rightAnswer(await knock(bar, { agent_id, key }));
    const late = rightAnswer(await knock(bar, { agent_id, key }));
    house.clock.advance(59_999);
    assert.equal((await answerDoor(bar, in_time)).status, 200);
    house.clock.advance(1);
    assertSaysNo(await answerDoor(bar, late), [410, 'challenge_expired']);
  });

  test('a wrong key and an id that nobody has are one refusal [BAR-087] [BAR-089]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const { agent_id, key } = await enterBar(house, 'Renewer');
    const banned = await enterBar(house, 'Banned', { state: 'banned' });
    const other = await enterBar(house, 'Other');
    const pairs: [agent_id: string, key: string][] = [
      [agent_id, other.key],
      [agent_id, 'kk_wrong'],
      [agent_id, ''],
      [agent_id, key.toUpperCase()],
      [agent_id, `${key} `],
      [agent_id, '\u0000'],
      [banned.agent_id, key],
      [`ag_${'0'.repeat(16)}`, key],
      [agent_id.toUpperCase(), key],
      ['', key],
      ['Renewer', key],
      ['\u0000', key],
      ['x'.repeat(10_000), key],
    ];
    const texts = new Set<string>();
    for (const [id, given] of pairs) {
      const answer = await bar.call('POST', '/door/knock', { body: { agent_id: id, key: given } });
      assertSaysNo(answer, forbidden, { what: `${id} ${given}` });
      texts.add(answer.text);
    }
    assert.equal(texts.size, 1);

    // Only who has the key learns of the ban.
    const { agent_id: banned_id, key: banned_key } = banned;
    const told = await bar.call('POST', '/door/knock', {
      body: { agent_id: banned_id, key: banned_key },
    });
    assert.match(assertSaysNo(told, forbidden).message, /banned/);
    assert.ok(!texts.has(told.text));
    await knock(bar, { agent_id, key });
  });

  test('an id without a key, a key without an id, and what is no text are not of the form [BAR-088] [BAR-013]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const { agent_id, key } = await enterBar(house, 'Renewer');
    const refused: [about: string, body: unknown][] = [
      ['key', { agent_id }],
      ['key', { agent_id, name: 'Newcomer' }],
      ['key', { agent_id, key: null }],
      ['key', { agent_id, key: 7 }],
      ['agent_id', { key }],
      ['agent_id', { key, name: 'Newcomer' }],
      ['agent_id', { agent_id: null, key }],
      ['agent_id', { agent_id: 7, key }],
      ['agent_id', { agent_id: [agent_id], key }],
    ];
    for (const [about, body] of refused) {
      const answer = await bar.call('POST', '/door/knock', { body });
      assertSaysNo(answer, bad, { about, what: JSON.stringify(body) });
    }
    // Null is absent, so this one is a newcomer.
    const { kind } = await knock(bar, { agent_id: null, key: null, name: 'Newcomer' });
    assert.equal(kind, 'knock');
  });

  test('whoever is banned between knock and answer is not let in, and has spent the challenge [BAR-090]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const { agent_id, key, token } = await enterBar(house, 'Banned');
    const right = rightAnswer(await knock(bar, { agent_id, key }));
    const wrong = { ...right, nonce: 'none', answers: {} };
    const other = rightAnswer(await knock(bar, { agent_id, key }));
    await house.command('bar', 'ban', { agent_id });
    assertSaysNo(await answerDoor(bar, { ...wrong, challenge_id: other.challenge_id }), [
      403,
      'pow_failed',
    ]);
    const answer = await answerDoor(bar, right);
    assert.match(assertSaysNo(answer, forbidden).message, /banned/);
    assertSaysNo(await answerDoor(bar, right), [409, 'conflict']);
    assertSaysNo(await bar.call('GET', '/me', { token }), forbidden);
  });

  test('an agent in quarantine renews and is told its state [BAR-091]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const { agent_id, key } = await enterBar(house, 'Quarantined', {
      state: 'quarantined',
      quarantined_at: house.clock.now(),
      quarantine_reason: 'operator',
    });
    const { status, body } = await answerDoor(
      bar,
      rightAnswer(await knock(bar, { agent_id, key })),
    );
    assert.equal(status, 200);
    assert.equal(body.state, 'quarantined');
    const me = await bar.call('GET', '/me', { token: body.session_token });
    assert.equal(me.body.state, 'quarantined');
  });
});

/** The whole of a challenge, for a look at all its members. */
async function knockWhole(bar: ReturnType<typeof barOf>, body: unknown) {
  const answer = await bar.call('POST', '/door/knock', { body });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}
