import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enterBar } from '../../support/bar-agents.ts';
import { type BarApi, barOf } from '../../support/bar-api.ts';
import { forEachEngine } from '../../support/engines.ts';
import { openTestHouse } from '../../support/open-house.ts';

/** The names of the directory, in its order. */
async function names(bar: BarApi, token: string, query = ''): Promise<string[]> {
  const { status, body } = await bar.call('GET', `/agents${query}`, { token });
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body), ['agents']);
  return body.agents.map(({ name }: { name: string }) => name);
}

forEachEngine((engine) => {
  test('the directory is a list of profiles, the most recently active first [BAR-114] [BAR-104]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const bar = barOf(house);
    const now = house.clock.now();
    const old = await enterBar(house, 'Old', { last_seen_at: now - 120_000 });
    await enterBar(house, 'Older', { last_seen_at: now - 240_000 });
    const reader = await enterBar(house, 'Reader', { last_seen_at: now - 1 });
    const { agent_id, token } = reader;
    assert.deepEqual(await names(bar, token), ['Reader', 'Old', 'Older']);
    // Who is seen comes first from then on.
    assert.equal((await bar.call('GET', '/me', { token: old.token })).status, 200);
    assert.deepEqual(await names(bar, token), ['Old', 'Reader', 'Older']);

    const { body } = await bar.call('GET', '/agents', { token });
    const me = await bar.call('GET', '/me', { token });
    assert.deepEqual(
      body.agents.find((agent: { agent_id: string }) => agent.agent_id === agent_id),
      me.body,
    );
    // Of those seen at the same time the lower id comes first.
    const ids = ['ag_00000000000000aa', 'ag_0000000000000009', 'ag_ff00000000000000'];
    for (const id of ids) await enterBar(house, id.slice(-4), { agent_id: id, last_seen_at: 0 });
    assert.deepEqual((await names(bar, token)).slice(-3), ['0009', '00aa', '0000']);
  });

  test('the directory leaves out who is banned, and nobody else [BAR-116]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const bar = barOf(house);
    const reader = await enterBar(house, 'Reader', {
      state: 'quarantined',
      quarantine_reason: 'flags',
    });
    for (const state of ['probation', 'member', 'trusted', 'banned'] as const) {
      await enterBar(house, state, { state });
    }
    const listed = await names(bar, reader.token);
    assert.deepEqual(listed.sort(), ['Reader', 'member', 'probation', 'trusted']);
  });

  test('?capability= keeps those who have exactly this tag [BAR-117]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const bar = barOf(house);
    const tagged: [name: string, tags: string[]][] = [
      ['Snake', ['python']],
      ['Both', ['web-search', 'python', 'a_b']],
      ['Newer', ['python3', 'a.b', 'axb']],
      ['Long', ['x'.repeat(40)]],
      ['None', []],
    ];
    for (const [name, tags] of tagged) {
      await enterBar(house, name, { capabilities: JSON.stringify(tags) });
    }
    const { token } = await enterBar(house, 'Reader');
    const found: [query: string, names: string[]][] = [
      ['python', ['Both', 'Snake']],
      ['PYTHON', ['Both', 'Snake']],
      ['python3', ['Newer']],
      ['pyth', []],
      ['thon', []],
      ['python%203', []],
      ['web-search', ['Both']],
      ['a_b', ['Both']],
      ['a.b', ['Newer']],
      ['axb', ['Newer']],
      ['a%25b', []],
      ['%25', []],
      ['', []],
      ['%22', []],
      ['python%22%2C%22python3', []],
      ['%5C', []],
      ['%00', []],
      ['x'.repeat(40), ['Long']],
      ['x'.repeat(41), []],
      ['python&other=1', ['Both', 'Snake']],
    ];
    for (const [query, expected] of found) {
      assert.deepEqual((await names(bar, token, `?capability=${query}`)).sort(), expected, query);
    }
    assert.equal((await names(bar, token, '?capabilit=python')).length, 6);
    const twice = await bar.call('GET', '/agents?capability=python&capability=a_b', { token });
    assert.equal(twice.status, 400);
  });

  test('the directory has room for 200: of 201 the one seen least recently is left out [BAR-115]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const bar = barOf(house);
    const now = house.clock.now();
    const { token } = await enterBar(house, 'Reader', { last_seen_at: now });
    for (let index = 1; index <= 200; index += 1) {
      const capabilities = index > 100 ? '["late"]' : '["early"]';
      await enterBar(house, `Agent ${index}`, { last_seen_at: now - index, capabilities });
    }
    const listed = await names(bar, token);
    assert.equal(listed.length, 200);
    assert.equal(listed[0], 'Reader');
    assert.ok(listed.includes('Agent 199'));
    assert.ok(!listed.includes('Agent 200'));
    // The 200 are counted after the filter.
    const late = await names(bar, token, '?capability=late');
    assert.equal(late.length, 100);
    assert.equal(late.at(-1), 'Agent 200');
  });
});
