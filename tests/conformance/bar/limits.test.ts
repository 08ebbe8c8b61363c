import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSaysNo, assertTooMany, type BarReply } from '../../support/bar-api.ts';
import { openBarHouse, type Patron, second_ms } from '../../support/bar-trust.ts';
import { forEachEngine } from '../../support/engines.ts';

/** Sends `count` requests one after the other; answers the statuses that came. */
async function statusesOf(count: number, send: () => Promise<BarReply>): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let sent = 0; sent < count; sent += 1) statuses.add((await send()).status);
  return statuses;
}

const read = (agent: Patron) => agent.call('GET', '/me');

forEachEngine((engine) => {
  test('on probation ten writes pass and the 11th waits 20 s, quizzed or not [BAR-300] [BAR-304]', async () => {
    await using bar = await openBarHouse(engine);
    for (const falls of [99, 0]) {
      bar.chance.falls = falls;
      const agent = await bar.enter(`falls ${falls}`, 'probation');
      const passed = new Set([falls === 0 ? 428 : 200]);
      assert.deepEqual(await statusesOf(10, () => agent.write()), passed);
      assertTooMany(await agent.write(), 20);
      bar.advance(20 * second_ms - 1);
      assertTooMany(await agent.write(), 1);
      bar.advance(1);
      assert.deepEqual(await statusesOf(1, () => agent.write()), passed);
      assertTooMany(await agent.write(), 20);
      bar.advance(200 * second_ms);
      assert.deepEqual(await statusesOf(10, () => agent.write()), passed);
      assertTooMany(await agent.write(), 20);
    }
  });

  test('a member writes 60 times at once and 30 times a minute, a trusted agent 120 and 60 [BAR-301] [BAR-304]', async () => {
    await using bar = await openBarHouse(engine);
    for (const [state, burst, refill_s] of [
      ['member', 60, 2],
      ['trusted', 120, 1],
    ] as const) {
      const agent = await bar.enter(state, state);
      assert.deepEqual(await statusesOf(burst, () => agent.write()), new Set([200]));
      assertTooMany(await agent.write(), refill_s);
      bar.advance(refill_s * second_ms - 1);
      assertTooMany(await agent.write(), 1);
      bar.advance(1);
      assert.equal((await agent.write()).status, 200);
      assertTooMany(await agent.write(), refill_s);
      bar.advance(60 * second_ms);
      assert.deepEqual(await statusesOf(60 / refill_s, () => agent.write()), new Set([200]));
      assertTooMany(await agent.write(), refill_s);
    }
  });

  test('120 reads pass in every state and the 121st waits half a second, said as one [BAR-302] [BAR-304]', async () => {
    await using bar = await openBarHouse(engine);
    for (const state of ['probation', 'member', 'trusted', 'quarantined'] as const) {
      const agent = await bar.enter(state, state);
      // All reads share one bucket, also those that are refused for their state.
      const paths = ['/me', '/agents', '/trust/me', '/trust/quarantined', '/agents/nobody'];
      for (let sent = 0; sent < 120; sent += 1) {
        const answer = await agent.call('GET', paths[sent % paths.length] ?? '/me');
        assert.notEqual(answer.status, 429);
      }
      assertTooMany(await read(agent), 1);
      bar.advance(499);
      assertTooMany(await read(agent), 1);
      bar.advance(1);
      assert.equal((await read(agent)).status, 200);
      assertTooMany(await read(agent), 1);
      bar.advance(60 * second_ms);
      assert.deepEqual(await statusesOf(120, () => read(agent)), new Set([200]));
      assertTooMany(await read(agent), 1);
    }
  });

  test('HEAD is a read like GET: the same token, limit and refusals [BAR-302]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent');
    assert.equal((await bar.bar.call('HEAD', '/me')).status, 401);
    for (let sent = 0; sent < 60; sent += 1) {
      assert.equal((await agent.call('HEAD', '/me')).status, 200);
      assert.equal((await read(agent)).status, 200);
    }
    const refused = await agent.call('HEAD', '/me');
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get('retry-after'), '1');
    assert.equal((await agent.call('HEAD', '/trust/quarantined')).status, 429);
    bar.advance(second_ms);
    assert.equal((await agent.call('HEAD', '/trust/quarantined')).status, 403);
  });

  test('reads and writes have buckets of their own, and both are the agent’s, not the session’s [BAR-303]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent', 'probation');
    const second = await bar.openSession(agent);
    const other = await bar.enter('other', 'probation');
    assert.deepEqual(await statusesOf(5, () => agent.write()), new Set([200]));
    assert.deepEqual(await statusesOf(5, () => second.write()), new Set([200]));
    assertTooMany(await agent.write(), 20);
    assertTooMany(await second.write(), 20);
    assert.deepEqual(await statusesOf(60, () => read(agent)), new Set([200]));
    assert.deepEqual(await statusesOf(60, () => read(second)), new Set([200]));
    assertTooMany(await read(second), 1);
    assertTooMany(await read(agent), 1);
    assert.equal((await other.write()).status, 200);
    assert.equal((await read(other)).status, 200);
  });

  test('refused writes cost as well, from the limit on; who is refused by it pays nothing [BAR-300]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent', 'probation');
    for (let sent = 0; sent < 5; sent += 1) {
      assertSaysNo(await agent.call('PATCH', '/me', {}), [400, 'bad_request']);
      assertSaysNo(await agent.vouch(agent), [403, 'forbidden']);
    }
    for (let sent = 0; sent < 5; sent += 1) assertTooMany(await agent.write(), 20);
    bar.advance(20 * second_ms);
    assert.equal((await agent.write()).status, 200);
  });

  test('twenty parallel writes on probation: ten pass [BAR-300]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent', 'probation');
    const answers = await Promise.all(Array.from({ length: 20 }, () => agent.write()));
    assert.equal(answers.filter(({ status }) => status === 200).length, 10);
    assert.equal(answers.filter(({ status }) => status === 429).length, 10);
  });

  test('key rotation costs a write, logging out, leaving and declining cost none [BAR-300]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent', 'probation');
    const spare = await bar.openSession(agent);
    const rotate = () => agent.call('POST', '/me/key', { key: 'kk_0' });
    for (let sent = 0; sent < 10; sent += 1) assert.notEqual((await rotate()).status, 429);
    assertTooMany(await rotate(), 20);
    assertTooMany(await agent.write(), 20);
    assert.equal((await agent.call('POST', '/rooms/the-bar/leave')).status, 200);
    assertSaysNo(await agent.call('POST', '/invitations/1/decline'), [404, 'not_found']);
    assert.equal((await spare.call('POST', '/door/logout')).status, 200);
  });

  test('the write limit is full after a change of state [BAR-300] [BAR-301]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent', 'probation');
    const bursts = [
      ['trust', 120],
      ['untrust', 60],
      ['trust', 120],
      ['quarantine', 10],
      ['release', 60],
    ] as const;
    assert.deepEqual(await statusesOf(10, () => agent.write()), new Set([200]));
    assertTooMany(await agent.write(), 20);
    for (const [verb, burst] of bursts) {
      await bar.order(verb, agent);
      const expected = new Set([verb === 'quarantine' ? 403 : 200]);
      assert.deepEqual(await statusesOf(burst, () => agent.write()), expected, verb);
      assert.equal((await agent.write()).status, 429, verb);
    }
  });

  test('what needs no token, and the doorman, take nothing from an agent’s buckets [BAR-306]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent', 'probation');
    const { token } = agent;
    for (let sent = 0; sent < 130; sent += 1) {
      for (const path of ['', '/health', '/door']) {
        assert.equal((await bar.bar.call('GET', path, { token })).status, 200);
      }
      const body = { challenge_id: 'ch_0', nonce: '0', answers: {} };
      const answer = await bar.bar.call('POST', '/door/answer', { token, body });
      assert.equal(answer.status, 404);
      const message = { parts: [{ text: 'limits' }] };
      const asked = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } };
      const said = await bar.bar.fetch('POST', '/a2a', { token, body: asked });
      assert.equal(said.status, 200);
    }
    assert.deepEqual(await statusesOf(120, () => read(agent)), new Set([200]));
    assert.deepEqual(await statusesOf(10, () => agent.write()), new Set([200]));
  });

  test('after the time that a 429 names the request passes [BAR-304]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent', 'probation');
    bar.advance(7_300);
    await statusesOf(10, () => agent.write());
    bar.advance(3_456);
    const refused = await agent.write();
    assertTooMany(refused, 17);
    bar.advance(refused.body.error.retry_after * second_ms);
    assert.equal((await agent.write()).status, 200);
  });
});
