import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAgent } from '../../support/agents.ts';
import { enterBar } from '../../support/bar-agents.ts';
import { assertSaysNo, assertTooMany, type BarApi, barOf } from '../../support/bar-api.ts';
import { openBarHouse } from '../../support/bar-trust.ts';
import { forOneEngine } from '../../support/engines.ts';
import { whileWritesWait } from '../../support/hold-writes.ts';
import { openTestHouse, test_start } from '../../support/open-house.ts';

const bad = [400, 'bad_request'] as const;
const unknown = [404, 'not_found'] as const;
const taken = [409, 'name_taken'] as const;

const patch = (bar: BarApi, token: string, body: unknown) =>
  bar.call('PATCH', '/me', { token, body });

const me = async (bar: BarApi, token: string) => (await bar.call('GET', '/me', { token })).body;

forOneEngine((engine) => {
  test("one's own profile and anybody's are of the same eight members [BAR-104] [BAR-105] [BAR-009] [BAR-010]", async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], start: test_start + 1_999 });
    const bar = barOf(house);
    const pubkey = makeAgent('known').public_key;
    const { agent_id, token } = await enterBar(house, 'Known', {
      description: 'Checks citations.',
      capabilities: '["citations","python"]',
      pubkey,
    });
    const profile = {
      agent_id,
      name: 'Known',
      description: 'Checks citations.',
      capabilities: ['citations', 'python'],
      pubkey,
      state: 'member',
      joined_at: '2026-09-07T12:00:01Z',
      last_seen_at: '2026-09-07T12:00:01Z',
    };
    assert.deepEqual(await me(bar, token), profile);
    const other = await enterBar(house, 'Reader');
    const read = await bar.call('GET', `/agents/${agent_id}`, { token: other.token });
    assert.deepEqual([read.status, read.body], [200, profile]);
    assert.equal((await me(bar, other.token)).pubkey, null);

    await house.command('bar', 'ban', { agent_id });
    const banned = await bar.call('GET', `/agents/${agent_id}`, { token: other.token });
    assert.deepEqual([banned.status, banned.body], [200, { ...profile, state: 'banned' }]);
  });

  test('an id that nobody has is not found, and neither is what is no id [BAR-105] [BAR-017]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const bar = barOf(house);
    const { agent_id, token } = await enterBar(house, 'Reader', { state: 'trusted' });
    const nobody = await bar.call('GET', `/agents/ag_${'0'.repeat(16)}`, { token });
    assertSaysNo(nobody, unknown);
    const ids = [
      agent_id.toUpperCase(),
      `${agent_id}0`,
      agent_id.slice(0, -1),
      agent_id.slice(3),
      'me',
      '0',
      'Reader',
      '%00',
      '%20',
      '%F0%9F%A5%9B',
      `${agent_id}%0A`,
      'ag_%2e%2e%2f',
      'x'.repeat(1_000),
    ];
    for (const id of ids) {
      const answer = await bar.call('GET', `/agents/${id}`, { token });
      assert.equal(answer.text, nobody.text, id);
    }
    // Percent-encoding is only a way to write it.
    const encoded = await bar.call('GET', `/agents/${agent_id.replace('_', '%5F')}`, { token });
    assert.equal(encoded.status, 200);
  });

  test('last_seen_at is never more than 60 s behind the latest request, and written once in 60 s [BAR-106]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const bar = barOf(house);
    const { agent_id, token } = await enterBar(house, 'Seen');
    const other = await enterBar(house, 'Watcher');
    const seen = async () =>
      (await bar.call('GET', `/agents/${agent_id}`, { token: other.token })).body.last_seen_at;
    house.clock.advance(59_999);
    await bar.call('GET', '/trust/me', { token });
    assert.equal(await seen(), '2026-09-07T12:00:00Z');
    house.clock.advance(1);
    await bar.call('GET', '/trust/me', { token });
    assert.equal(await seen(), '2026-09-07T12:01:00Z');
    house.clock.advance(3_600_000);
    assert.equal(await seen(), '2026-09-07T12:01:00Z');
    assert.equal((await me(bar, token)).last_seen_at, '2026-09-07T13:01:00Z');
    assert.equal(await seen(), '2026-09-07T13:01:00Z');
    house.clock.advance(60_000);
    // A refused request is one, too.
    assertSaysNo(await patch(bar, token, {}), bad);
    assert.equal(await seen(), '2026-09-07T13:02:00Z');
  });

  test('a PATCH changes what it names and leaves the rest [BAR-107] [BAR-108]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const bar = barOf(house);
    const { token } = await enterBar(house, 'Before', {
      state: 'trusted',
      description: 'Old.',
      capabilities: '["python"]',
    });
    const { public_key } = makeAgent('a key');
    const changes: [change: object, shown?: object][] = [
      [{ name: 'After' }],
      [{ name: ' e\u0301 ' }, { name: 'é' }],
      [{ description: 'New.\n\u202e' }],
      [{ description: '' }],
      [{ description: 'x'.repeat(1_000) }],
      [{ capabilities: ['Rust', 'rust', 'has space', 'x'.repeat(41)] }, { capabilities: ['rust'] }],
      [{ capabilities: Array.from({ length: 32 }, (_, index) => `tag-${index}`) }],
      [{ capabilities: [] }],
      [{ name: 'x'.repeat(64), description: 'All', capabilities: ['a'], pubkey: public_key }],
      [
        { description: 'Half.', other: true, agent_id: 'ag_0', state: 'member' },
        { description: 'Half.' },
      ],
    ];
    let profile = await me(bar, token);
    for (const [change, shown = change] of changes) {
      const { status, body, text } = await patch(bar, token, change);
      assert.equal(status, 200, text);
      profile = { ...profile, ...shown };
      assert.deepEqual(body, profile);
      assert.deepEqual(await me(bar, token), profile);
    }
  });

  test('a PATCH is held to the forms of the knock and changes nothing if one part is wrong [BAR-108] [BAR-113] [BAR-013] [BAR-018]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const bar = barOf(house);
    const { token } = await enterBar(house, 'Steady', { state: 'trusted' });
    const before = await me(bar, token);
    const fine = { description: 'This must not be stored.' };
    const refused: [about: string, body: unknown][] = [
      ['name', { ...fine, name: '' }],
      ['name', { ...fine, name: '  ' }],
      ['name', { ...fine, name: null }],
      ['name', { ...fine, name: 7 }],
      ['name', { ...fine, name: 'x'.repeat(65) }],
      ['name', { ...fine, name: 'a\u202eb' }],
      ['name', '{"description": "x", "name": "\\udc00"}'],
      ['description', { name: 'Other', description: null }],
      ['description', { name: 'Other', description: ['x'] }],
      ['description', { name: 'Other', description: 'x'.repeat(1_001) }],
      ['description', { name: 'Other', description: '\u0000' }],
      ['description', '{"name": "Other", "description": "\\ud83d"}'],
      ['capabilities', { ...fine, capabilities: null }],
      ['capabilities', { ...fine, capabilities: 'python' }],
      ['capabilities', { ...fine, capabilities: [1] }],
      ['capabilities', { ...fine, capabilities: Array(33).fill('python') }],
      ['pubkey', { ...fine, pubkey: null }],
      ['pubkey', { ...fine, pubkey: '' }],
      ['pubkey', { ...fine, pubkey: 7 }],
      ['pubkey', { ...fine, pubkey: Buffer.alloc(32).toString('base64') }],
      ['pubkey', { ...fine, pubkey: makeAgent('a key').public_key.slice(0, -1) }],
      ['body', {}],
      ['body', { nam: 'Misspelt', Description: 'x' }],
      ['body', '[]'],
      ['body', 'null'],
      ['body', ''],
      ['body', undefined],
    ];
    for (const [about, body] of refused) {
      assertSaysNo(await patch(bar, token, body), bad, { about, what: JSON.stringify(body) });
    }
    assert.deepEqual(await me(bar, token), before);
  });

  test("a name that another has is taken, one's own in another case is not [BAR-109]", async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const bar = barOf(house);
    const one = await enterBar(house, 'One', { state: 'trusted' });
    const two = await enterBar(house, 'Two', { state: 'trusted' });
    for (const name of ['Two', 'two', 'ＴＷＯ', 'system', two.agent_id, one.agent_id]) {
      const refused = await patch(bar, one.token, {
        name,
        description: 'This must not be stored.',
      });
      assertSaysNo(refused, taken, { what: name });
    }
    assert.deepEqual(
      [(await me(bar, one.token)).name, (await me(bar, one.token)).description],
      ['One', ''],
    );
    for (const name of ['ONE', 'ONE', 'o\u200dne']) {
      assert.equal((await patch(bar, one.token, { name })).body.name, name);
    }
    // A name that was given up is free at once.
    assert.equal((await patch(bar, two.token, { name: 'Three' })).status, 200);
    assert.equal((await patch(bar, one.token, { name: 'TWO' })).body.name, 'TWO');
    // A banned agent's stays taken.
    await house.command('bar', 'ban', { agent_id: two.agent_id });
    assertSaysNo(await patch(bar, one.token, { name: 'three' }), taken);
  });

  test('of two agents who take one name at once one gets it [BAR-109]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const bar = barOf(house);
    const agents = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        enterBar(house, `Agent ${index}`, { state: 'trusted' }),
      ),
    );
    const answers = await whileWritesWait(house, () =>
      agents.map(({ token }, index) => patch(bar, token, { name: index % 2 ? 'Prize' : 'PRIZE' })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, ...Array(7).fill(409)]);
  });

  test('a pubkey is set once: a PATCH that names one again changes nothing [BAR-110] [BAR-111]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const bar = barOf(house);
    const { token } = await enterBar(house, 'Signer', { state: 'trusted' });
    await enterBar(house, 'Other');
    const [pubkey, other] = [makeAgent('one').public_key, makeAgent('two').public_key];
    const answers = await whileWritesWait(house, () => [
      patch(bar, token, { pubkey, description: 'First.' }),
      patch(bar, token, { pubkey, description: 'First.' }),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    const before = await me(bar, token);
    assert.equal(before.pubkey, pubkey);
    for (const change of [
      { pubkey },
      { pubkey: other },
      { pubkey, description: 'This must not be stored.' },
      { pubkey: other, name: 'Other', capabilities: ['x'] },
    ]) {
      assertSaysNo(await patch(bar, token, change), [409, 'pubkey_set']);
    }
    // What is no pubkey is that first.
    assertSaysNo(await patch(bar, token, { pubkey: 'x' }), bad, { about: 'pubkey' });
    assert.deepEqual(await me(bar, token), before);
    assert.equal((await patch(bar, token, { description: 'Second.' })).body.pubkey, pubkey);
  });

  test('a PATCH is a write: charged, quizzed, and shut in quarantine [BAR-112]', async () => {
    await using opened = await openBarHouse(engine);
    const { house, bar, chance } = opened;
    const { token } = await enterBar(house, 'Newcomer', { state: 'probation', graduated_at: null });
    for (let write = 0; write < 9; write += 1) {
      assert.equal((await patch(bar, token, { description: String(write) })).status, 200);
    }
    chance.falls = 0;
    const quizzed = await patch(bar, token, { description: 'quizzed' });
    assert.equal(quizzed.body.error.code, 'quiz_required');
    assert.equal((await me(bar, token)).description, '8');
    assertTooMany(await patch(bar, token, { description: 'x' }), 20);
    const { quiz_id, prompt } = quizzed.body.error.quiz;
    const answer = prompt.split(': ')[1];
    const answered = await bar.call('PATCH', '/me', {
      token,
      body: { description: 'quizzed' },
      headers: { 'x-korova-quiz': `${quiz_id}:${answer}` },
    });
    assert.equal(answered.body.description, 'quizzed');

    const quarantined = await enterBar(house, 'Quarantined', {
      state: 'quarantined',
      quarantined_at: house.clock.now(),
      quarantine_reason: 'operator',
    });
    for (const body of [{ description: 'x' }, {}, 'no JSON']) {
      assertSaysNo(await patch(bar, quarantined.token, body), [403, 'quarantined']);
    }
    assert.equal((await me(bar, quarantined.token)).description, '');
    // Nobody solves a quiz for a request that could never pass.
    const other = await enterBar(house, 'Misspeller', { state: 'probation', graduated_at: null });
    for (const body of [{}, { name: '' }, 'no JSON']) {
      assertSaysNo(await patch(bar, other.token, body), bad);
    }
  });
});
