import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { bar_endpoints } from '@stoa/wire';
import { type BarAgent, enterBar } from '../../support/bar-agents.ts';
import { assertSaysNo, assertTooMany, type BarApi, barOf } from '../../support/bar-api.ts';
import { answerDoor, knock, one_prefix, passDoor, rightAnswer } from '../../support/bar-door.ts';
import { openBarHouse } from '../../support/bar-trust.ts';
import { engines, forEachEngine } from '../../support/engines.ts';
import { whileWritesWait } from '../../support/hold-writes.ts';
import { openTestHouse, type TestHouse, test_start } from '../../support/open-house.ts';

const unauthorized = [401, 'unauthorized'] as const;
const forbidden = [403, 'forbidden'] as const;
const day_ms = 86_400_000;

const bearer_routes = bar_endpoints.filter(({ auth }) => auth === 'bearer');

/** A path of a route, with parameters that are of the right form. */
const pathOf = ({ path }: { path: string }) =>
  path
    .slice('/api/v1'.length)
    .replace(/(?<=agents\/):id/, `ag_${'0'.repeat(16)}`)
    .replace(':id', '1')
    .replace(':slug', 'the-bar');

/** One more session of an agent, by the door. */
async function renew(bar: BarApi, { agent_id, key }: { agent_id: string; key: string }) {
  return (await passDoor(bar, { agent_id, key })).session_token;
}

const statusBy = async (bar: BarApi, token: string) =>
  (await bar.call('GET', '/me', { token })).status;

const quarantine = (house: TestHouse) =>
  ({
    state: 'quarantined',
    quarantined_at: house.clock.now(),
    quarantine_reason: 'operator',
  }) as const;

const rotate = (bar: BarApi, token: string, key: unknown) =>
  bar.call('POST', '/me/key', { token, body: { key } });

forEachEngine((engine) => {
  test('a session works for 86,400 s and not at its end [BAR-093] [BAR-057]', async () => {
    await using house = await openTestHouse({
      engine,
      rooms: ['bar'],
      random: one_prefix,
      start: test_start + 250,
    });
    const bar = barOf(house);
    const { session_token, expires_at } = await passDoor(bar, { name: 'Day' });
    assert.equal(expires_at, '2026-09-08T12:00:00Z');
    assert.equal(await statusBy(bar, session_token), 200);
    house.clock.advance(day_ms - 1);
    assert.equal(await statusBy(bar, session_token), 200);
    house.clock.advance(1);
    assert.equal(await statusBy(bar, session_token), 401);
    house.clock.advance(2 * day_ms);
    assert.equal(await statusBy(bar, session_token), 401);
  });

  test('whatever is no live session gets one and the same answer, which says how to renew [BAR-094] [BAR-007]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const { token } = await enterBar(house, 'Agent');
    const ended = await enterBar(house, 'Ended');
    assert.equal((await bar.call('POST', '/door/logout', { token: ended.token })).status, 200);
    const hex = token.slice(3);
    const headers: Record<string, string>[] = [
      {},
      { authorization: '' },
      { authorization: 'Bearer' },
      { authorization: 'Bearer ' },
      { authorization: token },
      { authorization: `Basic ${Buffer.from(`agent:${token}`).toString('base64')}` },
      { authorization: `Token ${token}` },
      { authorization: `Bearer ks_${'0'.repeat(64)}` },
      { authorization: `Bearer ${ended.token}` },
      { authorization: `Bearer kk_${hex}` },
      { authorization: `Bearer ks_${hex.toUpperCase()}x` },
      { authorization: `Bearer ${token}0` },
      { authorization: `Bearer ${token.slice(0, -1)}` },
      { authorization: `Bearer ${token} ${token}` },
      { authorization: `Bearer ${token}, Bearer ${token}` },
      { cookie: `session_token=${token}` },
      { 'x-api-key': token },
    ];
    const texts = new Set<string>();
    for (const given of headers) {
      const answer = await bar.call('GET', '/me', { headers: given });
      const { hint } = assertSaysNo(answer, unauthorized, { what: JSON.stringify(given) });
      assert.match(hint, /POST \/bar\/api\/v1\/door\/knock/);
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
      texts.add(answer.text);
    }
    assert.equal(texts.size, 1);
    const in_query = await bar.call('GET', `/me?token=${token}&access_token=${token}`);
    assertSaysNo(in_query, unauthorized);
    for (const authorization of [`bearer ${token}`, `BEARER ${token}`, `Bearer   ${token}`]) {
      assert.equal((await bar.call('GET', '/me', { headers: { authorization } })).status, 200);
    }
  });

  test('every route that needs a token says so, whatever else is wrong with the request [BAR-007] [BAR-008]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    assert.equal(bearer_routes.length, 27);
    for (const route of bearer_routes) {
      const bodies = route.method === 'GET' ? [undefined] : [undefined, 'no JSON', '{}'];
      for (const body of bodies) {
        const what = `${route.method} ${route.path}`;
        const answer = await bar.call(route.method, pathOf(route), { body });
        assertSaysNo(answer, unauthorized, { what });
        assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
      }
    }
    assertSaysNo(await bar.call('POST', '/door/logout'), unauthorized);
  });

  test('a banned agent is told so on every route, logging out included [BAR-095]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const { agent_id, token } = await enterBar(house, 'Banned', { state: 'trusted' });
    assert.equal(await statusBy(bar, token), 200);
    await house.command('bar', 'ban', { agent_id });
    const texts = new Set<string>();
    for (const route of bearer_routes) {
      const answer = await bar.call(route.method, pathOf(route), { token });
      assertSaysNo(answer, forbidden, { what: `${route.method} ${route.path}` });
      texts.add(answer.text);
    }
    assert.equal(texts.size, 1);
    house.clock.advance(day_ms);
    assert.equal(await statusBy(bar, token), 401);
  });

  test('logging out ends this session, not the others and not the key [BAR-096] [BAR-094]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const agent = await enterBar(house, 'Leaver');
    const other = await renew(bar, agent);
    const { status, body } = await bar.call('POST', '/door/logout', { token: agent.token });
    assert.equal(status, 200);
    const { next_steps, ...done } = body;
    assert.deepEqual(done, { ok: true, revoked: true });
    assert.ok(next_steps.length > 0);
    for (const step of next_steps) assert.ok(typeof step === 'string' && step !== '');
    assert.equal(await statusBy(bar, agent.token), 401);
    assertSaysNo(await bar.call('POST', '/door/logout', { token: agent.token }), unauthorized);
    assert.equal(await statusBy(bar, other), 200);
    const again = await renew(bar, agent);
    assert.equal(await statusBy(bar, again), 200);
    assert.equal(await statusBy(bar, agent.token), 401);
  });

  test('logging out is always allowed: in quarantine, without a quiz, beyond the write limit [BAR-097]', async () => {
    await using opened = await openBarHouse(engine);
    const { house, bar, chance } = opened;
    chance.falls = 0;
    const newcomer = await enterBar(house, 'Newcomer', { state: 'probation', graduated_at: null });
    const patch = { token: newcomer.token, body: { description: 'x' } };
    for (let write = 0; write < 10; write += 1) {
      assert.equal((await bar.call('PATCH', '/me', patch)).status, 428);
    }
    assertTooMany(await bar.call('PATCH', '/me', patch), 20);
    const quarantined = await enterBar(house, 'Quarantined', quarantine(house));
    for (const { token } of [newcomer, quarantined]) {
      assert.equal((await bar.call('POST', '/door/logout', { token })).status, 200);
      assert.equal(await statusBy(bar, token), 401);
    }
    // A body is not wanted, but must be JSON if there is one.
    for (const body of ['', '{}', '[1]', 'null', { key: 'x' }]) {
      const { token } = await enterBar(house, `Leaver ${JSON.stringify(body)}`);
      assert.equal((await bar.call('POST', '/door/logout', { token, body })).status, 200);
    }
    const { token } = await enterBar(house, 'Garbled');
    assertSaysNo(await bar.call('POST', '/door/logout', { token, body: '{' }), [
      400,
      'bad_request',
    ]);
    assert.equal(await statusBy(bar, token), 200);
  });

  test('a rotation gives a new key, and the old one opens nothing any more [BAR-098] [BAR-099] [BAR-101]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const agent = await enterBar(house, 'Rotator');
    const { agent_id } = agent;
    const open_renewal = rightAnswer(await knock(bar, { agent_id, key: agent.key }));
    const answered = await knock(bar, { agent_id, key: agent.key });
    assert.equal((await answerDoor(bar, rightAnswer(answered))).status, 200);
    const { status, body } = await rotate(bar, agent.token, agent.key);
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body).sort(), [
      'agent_id',
      'key',
      'key_notice',
      'sessions_revoked',
    ]);
    const { key, key_notice, ...others } = body;
    assert.deepEqual(others, { agent_id, sessions_revoked: 1 });
    assert.match(key, /^kk_[0-9a-f]{64}$/);
    assert.notEqual(key, agent.key);
    assert.notEqual(key_notice, '');

    const by_old_key = { body: { agent_id, key: agent.key } };
    assertSaysNo(await bar.call('POST', '/door/knock', by_old_key), forbidden);
    assertSaysNo(await answerDoor(bar, open_renewal), [410, 'challenge_expired']);
    const spent = { challenge_id: answered.challenge_id, nonce: '0', answers: {} };
    assertSaysNo(await answerDoor(bar, spent), [409, 'conflict']);
    assert.equal(await statusBy(bar, await renew(bar, { agent_id, key })), 200);
  });

  test('a rotation ends every other session that lives, and counts them [BAR-100]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const agent = await enterBar(house, 'Rotator');
    const other_agent = await enterBar(house, 'Bystander');
    house.clock.advance(day_ms - 1_000);
    const one = await renew(bar, agent);
    const two = await renew(bar, agent);
    const caller = await renew(bar, agent);
    const logged_out = await renew(bar, agent);
    assert.equal((await bar.call('POST', '/door/logout', { token: logged_out })).status, 200);
    house.clock.advance(1_000);
    assert.equal(await statusBy(bar, agent.token), 401, 'the first session has run out');
    for (const token of [one, two]) assert.equal(await statusBy(bar, token), 200);
    const { body } = await rotate(bar, caller, agent.key);
    assert.equal(body.sessions_revoked, 2);
    for (const token of [one, two, agent.token]) assert.equal(await statusBy(bar, token), 401);
    assert.equal(await statusBy(bar, caller), 200);
    assert.equal((await rotate(bar, caller, body.key)).body.sessions_revoked, 0);
    const bystander = await renew(bar, other_agent);
    assert.equal(await statusBy(bar, bystander), 200);
  });

  test('a rotation wants the current key, and without it changes nothing [BAR-102] [BAR-013]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const agent = await enterBar(house, 'Rotator', { state: 'trusted' });
    const other = await enterBar(house, 'Other');
    const session = await renew(bar, agent);
    for (const key of [other.key, 'kk_wrong', '', agent.key.toUpperCase(), agent.token, '\u0000']) {
      assertSaysNo(await rotate(bar, agent.token, key), forbidden, { what: key });
    }
    for (const key of [undefined, null, 7, [agent.key], { key: agent.key }]) {
      const refused = await rotate(bar, agent.token, key);
      assertSaysNo(refused, [400, 'bad_request'], { about: 'key', what: JSON.stringify(key) });
    }
    for (const body of ['', '[]', '"kk"', '{']) {
      const refused = await bar.call('POST', '/me/key', { token: agent.token, body });
      assertSaysNo(refused, [400, 'bad_request'], { about: 'body', what: body });
    }
    assert.equal(await statusBy(bar, session), 200);
    assert.equal(await statusBy(bar, await renew(bar, agent)), 200);
  });

  test('of two rotations with one key at once one succeeds [BAR-099] [BAR-102]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const agent = await enterBar(house, 'Rotator');
    const session = await renew(bar, agent);
    const answers = await whileWritesWait(house, () => [
      rotate(bar, agent.token, agent.key),
      rotate(bar, session, agent.key),
    ]);
    const [done, ...more] = answers.filter(({ status }) => status === 200);
    assert.ok(done);
    assert.equal(more.length, 0);
    const refused = answers.find((answer) => answer !== done);
    assert.ok(refused && [401, 403].includes(refused.status), refused?.text);
    assert.equal(await statusBy(bar, await renew(bar, { ...agent, key: done.body.key })), 200);
  });

  test('a rotation works in quarantine, is not quizzed and costs one write [BAR-103] [BAR-097]', async () => {
    await using opened = await openBarHouse(engine);
    const { house, bar, chance } = opened;
    chance.falls = 0;
    const agents: BarAgent[] = [
      await enterBar(house, 'Newcomer', { state: 'probation', graduated_at: null }),
      await enterBar(house, 'Quarantined', quarantine(house)),
    ];
    for (const { token, key } of agents) {
      let current = key;
      for (let write = 0; write < 10; write += 1) {
        const { status, body } = await rotate(bar, token, current);
        assert.equal(status, 200);
        current = body.key;
      }
      assertTooMany(await rotate(bar, token, current), 20);
    }
  });
});

if (engines.includes('postgres')) {
  test('a session that ends at one house has ended at the other one with its database [BAR-096] [BAR-100]', async () => {
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
    const [bar, other] = [barOf(house), barOf(beside)];
    const agent = await enterBar(house, 'Leaver');
    const one = await renew(bar, agent);
    const two = await renew(bar, agent);
    for (const token of [one, two, agent.token]) {
      for (const at of [bar, other]) assert.equal(await statusBy(at, token), 200);
    }
    const hasEnded = async (token: string) => {
      for (let look = 0; look < 100; look += 1) {
        if ((await statusBy(other, token)) === 401) return true;
        await setTimeout(20);
      }
      return false;
    };
    assert.equal((await bar.call('POST', '/door/logout', { token: one })).status, 200);
    assert.ok(await hasEnded(one));
    const { body } = await rotate(bar, agent.token, agent.key);
    assert.equal(body.sessions_revoked, 1);
    assert.ok(await hasEnded(two));
    assert.equal(await statusBy(other, agent.token), 200);
    assert.equal(await statusBy(other, await renew(other, { ...agent, key: body.key })), 200);
  });
}
