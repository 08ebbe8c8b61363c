import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAnswered } from '../../support/answers.ts';
import { forEachEngine, forOneEngine } from '../../support/engines.ts';
import { openTestHouse } from '../../support/open-house.ts';
import { requestWith } from '../../support/raw-http.ts';
import { karma_base, not_found, registryOf, reviewBody, unknownAgent } from './registry.ts';

const health = { status: 'ok', service: 'karma', version: '1.0.0' };

forEachEngine((engine) => {
  test('ids are any text, given back as they came, and alike only if every character is [KARMA-003] [KARMA-004]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    const ids = [
      'Bob',
      'bob',
      ' bob',
      'bob ',
      'a/b',
      '../..',
      '..',
      'a b',
      'a,b;c?d&e#f%20+',
      '"quoted" \\ \'single\'',
      '<script>alert(1)</script>',
      'é',
      'e\u0301',
      '№ 7 ﬁ',
      '🤖🏛️',
      '日本語',
      '\u202eabc',
      'tab\tand\nline\u0007\u001f',
      '__proto__',
      'constructor',
      'null',
    ];
    for (const id of ids) {
      const answer = await registry.post(reviewBody({ reviewer_id: 'asks', subject_id: id }));
      assert.equal(answer.status, 201, JSON.stringify(id));
      assert.equal((answer.body as { subject_id: string }).subject_id, id);
    }
    for (const id of ids) {
      // A client library would resolve the dots.
      const path = `${karma_base}/agents/${encodeURIComponent(id)}/reputation`;
      const { body } = await requestWith(house, path);
      const { agent_id, review_count } = body as { agent_id: string; review_count: number };
      assert.deepEqual([agent_id, review_count], [id, 1]);
    }
  });

  test('agents are there from their first review on, both of them, and from nothing else [KARMA-007] [KARMA-008]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    const ask = (path: string) => registry.get(path);
    for (const path of [
      '/agents/b/reputation',
      '/agents/b/badge.svg',
      '/agents/b/reviews',
      '/choose?candidates=a,b',
    ]) {
      await ask(path);
    }
    for (const id of ['a', 'b']) {
      assertAnswered(await ask(`/agents/${id}/reputation`), 404, unknownAgent(id));
    }
    await registry.review('a', 'b');
    for (const id of ['a', 'b']) assert.equal((await ask(`/agents/${id}/reputation`)).status, 200);
    assertAnswered(await ask('/agents/c/reputation'), 404, unknownAgent('c'));
  });

  test('health is exact, from the first request on [KARMA-011] [KARMA-012]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    assertAnswered(await registry.get('/health'), 200, health);
    assertAnswered(await registry.get('/health/storage'), 200, {
      backend: engine,
      durable: true,
      probe: 'ok',
    });
  });
});

forOneEngine((engine) => {
  test('nobody needs a credential, and one changes nothing [KARMA-001]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    const headers = { authorization: 'Bearer nonsense', 'x-api-key': 'k', cookie: 'session=1' };
    assert.equal((await registry.post(reviewBody(), headers)).status, 201);
    for (const path of [
      '/health',
      '/agents/b/reputation',
      '/agents/b/reviews',
      '/agents/b/badge.svg',
      '/reviews/1',
      '/choose?candidates=a,b',
      '/leaderboard',
      '/skill.md',
      '/openapi.json',
      '/docs',
      '/nowhere',
    ]) {
      const [plain, known] = [await registry.get(path), await registry.get(path, headers)];
      assert.deepEqual([known.status, known.text], [plain.status, plain.text], path);
    }
  });

  test('every answer is JSON, refusals too, but for the badge, the text, the docs and the page [KARMA-002]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    await registry.review('a', 'b');
    const json = 'application/json; charset=utf-8';
    for (const [path, type] of [
      ['/health', json],
      ['/health/storage', json],
      ['/agents/b/reputation', json],
      ['/agents/x/reputation', json],
      ['/agents/b/reviews', json],
      ['/agents/b/reviews?limit=0', json],
      ['/reviews/1', json],
      ['/reviews/2', json],
      ['/choose?candidates=b', json],
      ['/choose', json],
      ['/leaderboard', json],
      ['/openapi.json', json],
      ['/nowhere', json],
      ['/agents/b/badge.svg', 'image/svg+xml'],
      ['/skill.md', 'text/plain; charset=utf-8'],
      ['/docs', 'text/html; charset=utf-8'],
      ['/', 'text/html; charset=utf-8'],
    ] as const) {
      const answer = await registry.get(path);
      assert.equal(answer.headers.get('content-type'), type, path);
      assert.equal(answer.body !== undefined, type === json, path);
    }
    for (const body of [reviewBody(), {}]) {
      assert.equal((await registry.post(body)).headers.get('content-type'), json);
    }
  });

  test('an id stands percent-encoded in a path, however long [KARMA-005] [KARMA-006]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    const robots = '🤖'.repeat(200);
    await registry.review('r', 'a/b é');
    await registry.review('r', robots);
    const slashed = await registry.get('/agents/a%2Fb%20%C3%A9/reputation');
    assert.equal((slashed.body as { agent_id: string }).agent_id, 'a/b é');
    assert.equal((await registry.get('/agents/a/b%20%C3%A9/reputation')).status, 404);
    const encoded = encodeURIComponent(robots);
    assert.equal(encoded.length, 2_400);
    assert.equal((await registry.get(`/agents/${encoded}/reputation`)).status, 200);
    const reviews = (await registry.get(`/agents/${encoded}/reviews`)).body as unknown[];
    assert.equal(reviews.length, 1);
    assert.match((await registry.get(`/agents/${encoded}/badge.svg`)).text, /5\.00\/5/);
  });

  test('a path that is no id of anybody is an unknown agent, whatever is in it', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    for (const [in_path, id] of [
      ['..', '..'],
      ['%2e%2e', '..'],
      ['a%2F..%2Fb', 'a/../b'],
      ['%F0%9F%A4%96', '🤖'],
      ['x'.repeat(800), 'x'.repeat(800)],
    ] as const) {
      const path = `${karma_base}/agents/${in_path}`;
      assertAnswered(await requestWith(house, `${path}/reputation`), 404, unknownAgent(id));
      assertAnswered(await requestWith(house, `${path}/reviews`), 200, []);
      assert.match((await requestWith(house, `${path}/badge.svg`)).text, /unrated/);
    }
    assertAnswered(await requestWith(house, `${karma_base}/agents//reputation`), 404, not_found);
    assertAnswered(await requestWith(house, `${karma_base}/agents/a/b/reputation`), 404, not_found);
  });

  test('an empty registry has no agents, and the quick start works on it, once and again [KARMA-009] [KARMA-010]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    assertAnswered(await registry.get('/leaderboard'), 200, { count: 0, agents: [] });
    assertAnswered(await registry.get('/agents/agent-a/reviews'), 200, []);
    const start = async () => [
      (await registry.get('/choose?candidates=agent-a,agent-b')).status,
      (await registry.get('/agents/agent-a/reputation')).status,
      (
        await registry.post({
          reviewer_id: 'me',
          subject_id: 'agent-a',
          rating: 5,
          outcome: 'succeeded',
        })
      ).status,
    ];
    assert.deepEqual(await start(), [200, 404, 201]);
    assert.deepEqual(await start(), [200, 200, 201]);
  });

  test('the room stands at the root of a host of its own too', async () => {
    await using house = await openTestHouse({
      engine,
      rooms: ['karma'],
      config: { hosts: { karma: ['karma.example.org'] } },
    });
    const registry = registryOf(house);
    await registry.review('a', 'b');
    const headers = { host: 'karma.example.org' };
    const { port } = new URL(house.house.listening);
    assert.equal(house.house.rooms.karma, `http://karma.example.org:${port}`);
    for (const path of ['/', '/docs', '/docs/files/swagger-ui.css', '/agents/b/badge.svg']) {
      assert.equal((await requestWith(house, path, { headers })).status, 200, path);
    }
    assertAnswered(await requestWith(house, '/health', { headers }), 200, health);
    assertAnswered(await requestWith(house, '/agents/x/reputation', { headers }), 404, {
      ...unknownAgent('x'),
    });
    const manual = await requestWith(house, '/skill.md', { headers });
    assert.ok(manual.text.includes(`http://karma.example.org:${port}/reviews`));
  });
});
