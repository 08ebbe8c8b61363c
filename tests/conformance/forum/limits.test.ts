import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { countOutcomes } from '../../support/answers.ts';
import { engines, forEachEngine } from '../../support/engines.ts';
import { joinForum } from '../../support/forum-accounts.ts';
import {
  assertNo,
  assertTooMany,
  type ForumApi,
  forumOf,
  freshAddress,
  openForumHouse,
} from '../../support/forum-api.ts';
import { ask, enrollmentOf } from '../../support/forum-enrollment.ts';
import type { TestHouse } from '../../support/open-house.ts';

const hour = 3_600;

describe('the limits of the forum', () => {
  let house: TestHouse;
  let api: ForumApi;
  let names = 0;
  before(async () => {
    house = await openForumHouse({ engine: 'sqlite' });
    api = forumOf(house);
  });
  after(() => house.close());

  const name = () => {
    names += 1;
    return `limited_${names}`;
  };
  const wait = (seconds: number) => house.clock.advance(seconds * 1_000);
  const challenge = (client: string) =>
    api.call('POST', '/challenges', { client, body: { handle: name(), tier: 'guest' } });

  test('let 180 requests a minute pass from one address, of whatever kind [FORUM-268] [FORUM-278]', async () => {
    const client = freshAddress();
    const member = await joinForum(house, name());
    const { token } = member;
    const kinds: [string, string, object][] = [
      ['GET', '/api/v1/posts', {}],
      ['GET', '/api/v1/me', { token }],
      ['GET', '/api/v1/me', {}],
      ['GET', '/', { headers: { accept: 'text/html' } }],
      ['GET', '/style.css', {}],
      ['GET', '/llms.txt', {}],
      ['GET', '/openapi.json', {}],
      ['GET', '/p/1', {}],
      ['GET', '/nothing', {}],
      ['POST', '/api/v1/posts', { token, body: '[' }],
    ];
    for (let sent = 0; sent < 180; sent += 1) {
      const [method, path, more] = kinds[sent % kinds.length] ?? ['GET', '/', {}];
      const { status } = await api.fetch(method, path, { client, ...more });
      assert.notEqual(status, 429, `${sent} ${path}`);
    }
    wait(20);
    for (const [method, path, more] of kinds) {
      const { status, headers } = await api.fetch(method, path, { client, ...more });
      assert.deepEqual([status, headers.get('retry-after')], [429, '40'], path);
    }
    assertTooMany(await api.call('GET', '/me', { client, token }), 'network', 40);
    assert.equal((await member.call('GET', '/me')).status, 200, 'from elsewhere it is let in');
    // Neither the house's own health nor its practice counts (D-FORUM-70).
    assert.equal(
      (await house.fetch('/health', { headers: { 'x-forwarded-for': client } })).status,
      200,
    );
    wait(39);
    assertTooMany(await api.call('GET', '/me', { client, token }), 'network', 1);
    wait(1);
    assert.equal((await api.call('GET', '/me', { client, token })).status, 200);
  });

  test('count by the address that the last proxy saw [FORUM-269]', async () => {
    const [one, two] = [freshAddress(), freshAddress()];
    for (let sent = 0; sent < 180; sent += 1) {
      await api.fetch('GET', '/api/v1/policy', { client: `${freshAddress()}, ${one}` });
    }
    assertTooMany(await api.call('GET', '/policy', { client: one }), 'network', 60);
    const claimed = await api.call('GET', '/policy', { client: `${two}, ${one}` });
    assertTooMany(claimed, 'network', 60);
    assert.equal((await api.call('GET', '/policy', { client: two })).status, 200);
    assert.equal((await api.call('GET', '/policy', { client: `${one}, ${two}` })).status, 200);
  });

  test('let 30 writes a minute pass of one account, and all of its reads [FORUM-270] [FORUM-278]', async () => {
    const member = await joinForum(house, name());
    const writes: [string, string, unknown][] = [
      ['PATCH', '/me', { bio: 'b' }],
      ['PUT', '/notes/a', { text: 'a' }],
      ['DELETE', '/notes/a', undefined],
      ['POST', '/posts', { title: 'refused, and counted' }],
      ['DELETE', '/posts/999999', undefined],
    ];
    for (let sent = 0; sent < 30; sent += 1) {
      const [method, path, body] = writes[sent % writes.length] ?? ['PATCH', '/me', {}];
      assert.notEqual((await member.call(method, path, { body })).status, 429, String(sent));
    }
    for (const [method, path, body] of writes) {
      assertTooMany(await member.call(method, path, { body }), 'writes', 60);
    }
    assert.equal((await member.call('GET', '/me')).status, 200);
    const other = await joinForum(house, name());
    assert.equal((await other.call('PATCH', '/me', { body: { bio: 'b' } })).status, 200);
    wait(59);
    assertTooMany(await member.call('PATCH', '/me', { body: { bio: 'c' } }), 'writes', 1);
    wait(1);
    assert.equal((await member.call('PATCH', '/me', { body: { bio: 'c' } })).status, 200);
  });

  test('give six challenges an hour to one address, upgrades included [FORUM-273] [FORUM-278]', async () => {
    const client = freshAddress();
    const guest = await joinForum(house, name(), { tier: 'guest' });
    const upgrade = () => guest.call('POST', '/me/upgrade/challenge', { client, body: {} });
    for (let given = 0; given < 5; given += 1) assert.equal((await challenge(client)).status, 201);
    // What was not given does not count.
    const taken = { handle: 'owner' };
    assertNo(await api.call('POST', '/challenges', { client, body: taken }), [409, 'handle_taken']);
    wait(10);
    assert.equal((await upgrade()).status, 201);
    assertTooMany(await challenge(client), 'challenges', hour - 10);
    assertTooMany(await upgrade(), 'challenges', hour - 10);
    assert.equal((await challenge(freshAddress())).status, 201);
    wait(hour - 11);
    assertTooMany(await challenge(client), 'challenges', 1);
    wait(1);
    assert.equal((await challenge(client)).status, 201);
  });

  test('try six completions an hour of one address; the seventh spends nothing [FORUM-274] [FORUM-278]', async () => {
    const client = freshAddress();
    const send = (body: unknown) => api.call('POST', '/accounts', { client, body });
    const kept = await ask(api, name(), { client });
    const good = enrollmentOf(kept);
    const wrong = await ask(api, name(), { client });
    const attempts = [
      { ...good, challenge_id: 'ch_unknown' },
      {},
      enrollmentOf(wrong, { nonce: 'x' }),
      { ...good, challenge_id: undefined },
      { ...good, challenge_id: 7 },
      { ...good, challenge_id: '' },
    ];
    for (const attempt of attempts) {
      const { status } = await send(attempt);
      assert.ok(status === 400 || status === 409);
    }
    assertTooMany(await send(good), 'completions', hour);
    const guest = await joinForum(house, name(), { tier: 'guest' });
    const upgrade = { challenge_id: 'ch_unknown', nonce: '1' };
    const upgraded = await guest.call('POST', '/me/upgrade', { client, body: upgrade });
    assertTooMany(upgraded, 'completions', hour);
    wait(hour);
    const renewed = await ask(api, name(), { client });
    const body = enrollmentOf(renewed);
    for (let sent = 0; sent < 5; sent += 1) await send({});
    wait(60);
    assert.equal((await send(body)).status, 201);
  });

  test('keep no more than 100 challenges open at once [FORUM-276]', async () => {
    wait(hour);
    const clients = Array.from({ length: 17 }, freshAddress);
    for (let given = 0; given < 100; given += 1) {
      assert.equal((await challenge(clients[given % 17] ?? '')).status, 201, String(given));
    }
    wait(30);
    const full = await challenge(freshAddress());
    assertNo(full, [503, 'challenges_full']);
    assert.equal(full.headers.get('retry-after'), '90');
    const guest = await joinForum(house, name(), { tier: 'guest' });
    assertNo(await guest.call('POST', '/me/upgrade/challenge'), [503, 'challenges_full']);
    wait(90);
    assert.equal((await challenge(freshAddress())).status, 201);
  });

  test('give no more than 300 challenges an hour in the whole service [FORUM-275] [FORUM-278]', async () => {
    wait(hour);
    for (let given = 0; given < 300; given += 1) {
      if (given % 100 === 0) wait(120);
      const { status } = await challenge(freshAddress());
      assert.equal(status, 201, String(given));
    }
    wait(120);
    const retry_after = hour - 3 * 120;
    assertTooMany(await challenge(freshAddress()), 'challenges_service', retry_after);
    wait(retry_after);
    assert.equal((await challenge(freshAddress())).status, 201);
  });
});

forEachEngine((engine) => {
  test('what was counted over ten minutes and more is counted on after a restart, and challenges are not [FORUM-281] [FORUM-058]', async () => {
    await using house = await openForumHouse({ engine });
    const api = forumOf(house);
    const client = freshAddress();
    const send = (body: unknown) => api.call('POST', '/accounts', { client, body });
    for (let given = 0; given < 5; given += 1) await ask(api, `again_${given}`, { client });
    const good = enrollmentOf(await ask(api, 'restarted', { client }));
    for (let sent = 0; sent < 4; sent += 1) await send({});
    await house.restart();
    if (engine === 'postgres') {
      // The process that issued it may yet live, as far as the next one knows.
      house.clock.advance(15_000);
    }
    assertNo(await send(good), [409, 'challenge_unusable']);
    await send({});
    const gone = engine === 'postgres' ? 15 : 0;
    assertTooMany(await send(good), 'completions', hour - gone);
    const body = { handle: 'restarted' };
    const asked = await api.call('POST', '/challenges', { client, body });
    assertTooMany(asked, 'challenges', hour - gone);
  });
});

if (engines.includes('postgres')) {
  test('several processes share counts, challenges and what was answered [FORUM-281] [FORUM-059]', async () => {
    await using one = await openForumHouse({ engine: 'postgres' });
    await using two = await openForumHouse({ engine: 'postgres', beside: one });
    const [here, there] = [forumOf(one), forumOf(two)];
    const client = freshAddress();
    const challenge = await ask(here, 'between_two', { client });
    const good = enrollmentOf(challenge);
    const keyed = { client, key: 'one-of-two', body: good };
    const made = await there.call('POST', '/accounts', keyed);
    assert.equal(made.status, 201, made.text);
    const again = await here.call('POST', '/accounts', keyed);
    assert.deepEqual([again.status, again.text], [201, made.text]);
    // The two have tried one completion and given one challenge; what comes next counts with it.
    for (const [index, api] of [here, there, here, there, here].entries()) {
      await api.call('POST', '/accounts', { client, body: {} });
      await ask(api, `between_${index}`, { client });
    }
    for (const api of [here, there]) {
      assertTooMany(await api.call('POST', '/accounts', { client, body: {} }), 'completions', hour);
      const body = { handle: 'between_more' };
      const asked = await api.call('POST', '/challenges', { client, body });
      assertTooMany(asked, 'challenges', hour);
    }
    const { token } = made.body;
    const writes = [];
    for (let sent = 0; sent < 40; sent += 1) {
      const api = sent % 2 === 0 ? here : there;
      writes.push(api.call('PATCH', '/me', { token, body: { bio: String(sent) } }));
    }
    assert.deepEqual(countOutcomes(await Promise.all(writes)), { 200: 30, '429 rate_limited': 10 });
    const address = freshAddress();
    const reads = Array.from({ length: 200 }, (_, sent) =>
      (sent % 2 === 0 ? here : there).call('GET', '/policy', { client: address }),
    );
    assert.deepEqual(countOutcomes(await Promise.all(reads)), {
      200: 180,
      '429 rate_limited': 20,
    });
  });
}
