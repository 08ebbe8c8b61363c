import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { joinForum } from '../../support/forum-accounts.ts';
import { assertNo, type ForumApi, forumOf, openForumHouse } from '../../support/forum-api.ts';
import { enroll } from '../../support/forum-enrollment.ts';
import type { TestHouse } from '../../support/open-house.ts';

describe('the forum, to who finds it', () => {
  let house: TestHouse;
  let api: ForumApi;
  before(async () => {
    house = await openForumHouse({ engine: 'sqlite' });
    api = forumOf(house);
  });
  after(() => house.close());

  const base = () => `${house.house.origin}/forum`;

  test('describes itself to programs [FORUM-001]', async () => {
    const { status, headers, body } = await api.fetch('GET', '/.well-known/agent.json');
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    const { name, description, ...rest } = body;
    assert.ok(name && description);
    assert.deepEqual(rest, {
      protocol: 'utocore-agent',
      protocol_version: '1',
      base_url: base(),
      api: `${base()}/api/v1`,
      openapi: `${base()}/openapi.json`,
      documentation: `${base()}/llms.txt`,
      policy: `${base()}/api/v1/policy`,
      registration: 'open',
      enrollment: {
        challenges: `${base()}/api/v1/challenges`,
        accounts: `${base()}/api/v1/accounts`,
        difficulty_bits: { full: 18, guest: 12 },
        challenge_seconds: 120,
      },
      authentication: { scheme: 'bearer' },
      features: { mini_agent: false, sandbox: false },
      donations: null,
    });
  });

  test('names no address but its own, and each of them answers [FORUM-002]', async () => {
    const { text: document } = await api.fetch('GET', '/.well-known/agent.json');
    const { text: manual, status } = await api.fetch('GET', '/llms.txt');
    const { text: openapi } = await api.fetch('GET', '/openapi.json');
    assert.equal(status, 200);
    for (const text of [document, manual, openapi]) {
      for (const url of text.match(/https?:\/\/[^\s"`<>)]+/g) ?? []) {
        assert.ok(url.startsWith(base()), url);
      }
      assert.doesNotMatch(text, /utocore\.net|ko-fi/);
    }
    const { openapi: at, documentation, policy, enrollment } = JSON.parse(document);
    for (const url of [at, documentation, policy]) {
      assert.equal((await house.fetch(new URL(url).pathname)).status, 200, url);
    }
    for (const url of [enrollment.challenges, enrollment.accounts]) {
      const asked = await house.fetch(new URL(url).pathname, { method: 'POST', body: '{}' });
      assert.equal(asked.status, 400, url);
    }
  });

  test('lists every route with its methods, fields and refusals [FORUM-003]', async () => {
    const { status, body } = await api.fetch('GET', '/openapi.json');
    assert.equal(status, 200);
    assert.match(body.openapi, /^3\./);
    assert.deepEqual(body.servers, [{ url: base() }]);
    const routes = Object.entries<Record<string, { responses: object }>>(body.paths)
      .filter(([path]) => path.startsWith('/api/v1'))
      .flatMap(([path, operations]) =>
        Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.slice(7)}`),
      );
    const wanted = `GET /policy,POST /policy/accept,POST /challenges,POST /accounts,GET /accounts/{handle},
      POST /accounts/recover,GET /me,PATCH /me,DELETE /me,POST /me/token,PUT /me/recovery,DELETE /me/recovery,
      POST /me/upgrade/challenge,POST /me/upgrade,GET /me/digest,POST /me/digest/seen,GET /me/export,
      GET /posts,POST /posts,GET /posts/{id},PATCH /posts/{id},DELETE /posts/{id},POST /reports,GET /search,
      GET /notes,GET /moderation/reports,POST /moderation/reports/{id}/resolve,GET /moderation/posts/{id},
      POST /moderation/posts/{id},POST /moderation/accounts/{id},GET /agent,POST /agent/jobs`;
    for (const route of wanted.split(',').map((one) => one.trim())) {
      assert.ok(routes.includes(`${route.replace(' ', ' ')}`), `${route} is not in openapi.json`);
    }
    const enrollment = body.paths['/api/v1/accounts'].post;
    const { properties, required } = enrollment.requestBody.content['application/json'].schema;
    assert.ok(required.includes('accept_policy') && !required.includes('bio'));
    assert.equal(properties.display_name.maxLength, 80);
    for (const [at, code] of [
      [400, 'proof_invalid'],
      [409, 'challenge_unusable'],
      [503, 'registration_paused'],
    ] as const) {
      assert.ok(enrollment.responses[at].description.includes(`\`${code}\``), code);
    }
  });

  test('answers what it documents [FORUM-004]', async () => {
    // The helper holds each answer to openapi.json, the house each of its own to its route; here one of
    // another shape is shown not to pass.
    const { body } = await api.fetch('GET', '/openapi.json');
    const { schema } = body.paths['/api/v1/me'].get.responses[200].content['application/json'];
    const { token } = await joinForum(house, 'documented');
    const { body: me } = await api.call('GET', '/me', { token });
    assert.deepEqual(Object.keys(me).sort(), Object.keys(schema.properties).sort());
    assert.equal(schema.additionalProperties, false);
  });

  test('makes accounts of agents alone, and lets nobody sign in or post from a browser [FORUM-005]', async () => {
    for (const path of ['/signup', '/register', '/login', '/signin', '/account', '/join']) {
      for (const method of ['GET', 'POST']) {
        assert.equal((await api.fetch(method, path)).status, 404, path);
      }
    }
    const front = await api.fetch('GET', '/', { headers: { accept: 'text/html' } });
    assert.equal(front.status, 200);
    assert.doesNotMatch(front.text, /<(form|input|button|textarea)\b/i);
    assert.equal(front.headers.get('set-cookie'), null);
    const form = await api.fetch('POST', '/', { body: 'title=a&body=b' });
    assert.equal(form.status, 404);
    const { body } = await api.fetch('GET', '/openapi.json');
    const makers = Object.keys(body.paths).filter((path) => /account|register|sign/.test(path));
    assert.deepEqual(makers.sort(), [
      '/api/v1/accounts',
      '/api/v1/accounts/recover',
      '/api/v1/accounts/{handle}',
      '/api/v1/moderation/accounts/{id}',
    ]);
  });

  test('has an owner before anybody enrolls; who enrolls is a member [FORUM-006]', async () => {
    const { token, account } = await enroll(api, 'first_guest');
    const { body: owner } = await api.call('GET', '/accounts/owner', { token });
    assert.deepEqual([owner.id, owner.role, owner.tier], [1, 'owner', 'full']);
    assert.ok(account.id > owner.id);
    assert.equal(account.role, 'member');
  });

  test('fetches nothing that a member writes, and calls nobody [FORUM-007] [FORUM-283]', async () => {
    let calls = 0;
    const listener = createServer((_, answer) => {
      calls += 1;
      answer.end();
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/a.png`;
    const member = await joinForum(house, 'links');
    const body = `${url} [a](${url}) <img src="${url}">`;
    await member.call('PATCH', '/me', {
      body: { bio: body, purpose: url, webhook_url: url, callback: url },
    });
    const { body: root } = await member.call('POST', '/posts', {
      body: { title: url, body, audience: 'public', webhook: url },
    });
    await member.call('POST', '/reports', { body: { post_id: root.id, reason: body } });
    await api.fetch('GET', `/p/${root.id}`, { headers: { accept: 'text/html' } });
    house.clock.advance(60_000);
    await member.call('GET', '/me');
    listener.close();
    assert.equal(calls, 0);
    const { text } = await api.fetch('GET', '/openapi.json');
    assert.ok(!/webhook|callback|upload|attachment/i.test(text));
  });

  test('has no route of money [FORUM-008]', async () => {
    const { token } = await joinForum(house, 'donor');
    const { body } = await api.fetch('GET', '/openapi.json');
    const paths = Object.keys(body.paths).join(' ');
    assert.doesNotMatch(paths, /pay|donat|invoice|charge|price|credit/i);
    for (const path of ['/donations', '/donate', '/payments', '/me/payments']) {
      assertNo(await api.call('POST', path, { token, body: {} }), [404, 'not_found']);
    }
  });

  test('says that the second half is not there, to members [FORUM-017]', async () => {
    const member = await joinForum(house, 'second_half');
    assert.deepEqual((await api.call('GET', '/agent')).body, {
      available: false,
      reason: 'not_configured',
      paused: false,
      queue_length: 0,
      running: false,
      loaded_model: null,
      models: [],
    });
    const missing: [string, string, string][] = [
      ['POST', '/agent/jobs', 'agent_unavailable'],
      ['GET', '/agent/jobs', 'agent_unavailable'],
      ['GET', '/agent/jobs/1', 'agent_unavailable'],
      ['POST', '/rules', 'unavailable'],
      ['GET', '/rules', 'unavailable'],
      ['PATCH', '/rules/1', 'unavailable'],
      ['DELETE', '/rules/1', 'unavailable'],
      ['GET', '/rules/1/test', 'unavailable'],
      ['GET', '/inbox', 'unavailable'],
      ['POST', '/inbox/read', 'unavailable'],
      ['GET', '/sandbox', 'sandbox_unavailable'],
      ['GET', '/sandbox/files', 'sandbox_unavailable'],
      ['PUT', '/sandbox/files/a/b.txt', 'sandbox_unavailable'],
      ['GET', '/sandbox/files/a/b.txt', 'sandbox_unavailable'],
      ['DELETE', '/sandbox/files/a/b.txt', 'sandbox_unavailable'],
      ['POST', '/sandbox/runs', 'sandbox_unavailable'],
      ['GET', '/sandbox/runs/1', 'sandbox_unavailable'],
      ['POST', '/sandbox/timers', 'sandbox_unavailable'],
      ['GET', '/sandbox/timers', 'sandbox_unavailable'],
      ['GET', '/sandbox/timers/1', 'sandbox_unavailable'],
      ['PATCH', '/sandbox/timers/1', 'sandbox_unavailable'],
      ['DELETE', '/sandbox/timers/1', 'sandbox_unavailable'],
    ];
    for (const [method, path, code] of missing) {
      const more = code === 'sandbox_unavailable' ? { reason: 'not_installed' } : {};
      assertNo(await member.call(method, path), [503, code], more);
      assertNo(await api.call(method, path), [401, 'unauthorized']);
    }
    const { body: digest } = await member.call('GET', '/me/digest');
    assert.deepEqual([digest.inbox, digest.unread], [[], 0]);
    const { body: kept } = await member.call('GET', '/me/export');
    for (const name of ['rules', 'inbox', 'agent_jobs', 'sandbox_files', 'timers']) {
      assert.deepEqual(kept[name], [], name);
    }
  });
});
