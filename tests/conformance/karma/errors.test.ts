import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import vectors from '../../../protocol/karma/vectors/karma.json' with { type: 'json' };
import { assertAnswered } from '../../support/answers.ts';
import { forEachEngine, forOneEngine } from '../../support/engines.ts';
import { openTestHouse } from '../../support/open-house.ts';
import { requestWith } from '../../support/raw-http.ts';
import {
  assertDetail,
  assertInvalid,
  karma_base,
  not_found,
  registryOf,
  reviewBody,
} from './registry.ts';

/** The document's endpoints with the parameters and statuses that its description names. */
const described = [
  ['get', '/health', [], ['200']],
  ['get', '/agents/{agent_id}/reputation', ['agent_id'], ['200', '404']],
  ['post', '/reviews', [], ['201', '403', '422', '429']],
  ['get', '/agents/{agent_id}/reviews', ['agent_id', 'limit', 'offset'], ['200', '422']],
  ['get', '/reviews/{review_id}', ['review_id'], ['200', '404']],
  ['get', '/choose', ['candidates'], ['200', '422']],
  ['get', '/agents/{agent_id}/badge.svg', ['agent_id'], ['200']],
  ['get', '/leaderboard', ['limit'], ['200', '422']],
  ['post', '/reviews/{review_id}/reply', ['review_id'], ['201', '403', '404', '409', '422', '429']],
  [
    'post',
    '/reviews/{review_id}/withdraw',
    ['review_id'],
    ['200', '403', '404', '409', '422', '429'],
  ],
] as const;

type Operation = {
  parameters?: { name: string; schema: Record<string, unknown> }[];
  requestBody?: { content: Record<string, { schema: { properties: Record<string, unknown> } }> };
  responses: Record<string, { content?: Record<string, unknown> }>;
};

forEachEngine((engine) => {
  test('a failure of ours says nothing of itself, and is over when its cause is [KARMA-125]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    await registry.review('a', 'b');
    const { transact } = house.house.deps;
    const rename = (from: string, to: string) =>
      transact(async ({ db }) => {
        await db.schema.alterTable(from).renameTo(to).execute();
      });
    await rename('karma_review', 'karma_hidden');
    for (const answer of [
      await registry.get('/reviews/1'),
      await registry.post(reviewBody()),
      await registry.get('/agents/b/reviews'),
    ]) {
      assertDetail(answer, 500, 'Internal Server Error');
    }
    assertAnswered(await registry.get('/health/storage'), 200, {
      backend: engine,
      durable: true,
      probe: 'error',
    });
    await rename('karma_hidden', 'karma_review');
    assert.equal((await registry.get('/reviews/1')).status, 200);
    assert.equal(await registry.review('a', 'b'), 2);
  });

  // SQLite is a part of the process: it cannot be away.
  if (engine !== 'postgres') return;
  test('while the database is away answers are 503, and as before when it is back [KARMA-125]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    await registry.review('a', 'b');
    const url = new URL(house.database_url ?? '');
    const name = url.pathname.slice(1);
    url.pathname = '/postgres';
    const operator = new pg.Client(url.href);
    await operator.connect();
    try {
      await operator.query(`alter database ${name} allow_connections false`);
      await operator.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
        [name],
      );
      // The first that comes may still find the connection that is being broken.
      await registry.get('/reviews/1');
      for (const answer of [
        await registry.get('/reviews/1'),
        await registry.get('/agents/b/reputation'),
        await registry.post(reviewBody()),
      ]) {
        assertDetail(answer, 503, 'database unavailable');
      }
      await operator.query(`alter database ${name} allow_connections true`);
    } finally {
      await operator.end();
    }
    let tries_left = 1_000;
    while ((await registry.get('/reviews/1')).status !== 200 && tries_left > 0) tries_left -= 1;
    assert.equal((await registry.get('/reviews/1')).status, 200);
    assert.equal(await registry.review('a', 'b'), 2);
  });
});

forOneEngine((engine) => {
  test('an unknown route, and a known one by another method, is not found in exactly one form [KARMA-121] [KARMA-122]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    await registry.review('a', 'b');
    for (const path of ['/nowhere', '/agents', '/agents/b', '/agents/b/', '/review/1', '/Health']) {
      assertAnswered(await registry.get(path), 404, not_found, path);
    }
    for (const [method, path] of [
      ['POST', '/health'],
      ['DELETE', '/agents/b/reputation'],
      ['PUT', '/choose'],
      ['GET', '/reviews'],
      ['POST', '/leaderboard'],
      ['OPTIONS', '/reviews'],
      ['PATCH', '/skill.md'],
    ] as const) {
      assertAnswered(await registry.send(method, path), 404, not_found, `${method} ${path}`);
    }
    for (const path of ['/nowhere', '/agents/x/reputation', '/reviews/9', '/agents/b/nothing']) {
      const { status, body } = await registry.get(path);
      const { error, see, ...rest } = body as Record<string, unknown>;
      assert.deepEqual([status, typeof error, see, rest], [404, 'string', '/skill.md', {}]);
    }
  });

  test('a 422 is a detail: a sentence, or each wrong field once [KARMA-123] [KARMA-124]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    for (const { request, status, ...wanted } of vectors.refusedQueries) {
      const path = request.slice('GET '.length);
      const answer = await requestWith(house, karma_base + path);
      assert.equal(answer.status, status, path);
      if ('detail' in wanted) assertDetail(answer, 422, wanted.detail ?? '');
      else assertInvalid(answer, [wanted.loc ?? []], path);
    }
    for (const { request, status, answer } of vectors.notFound) {
      assertAnswered(await registry.get(request.slice('GET '.length)), status, answer);
    }
  });

  test('the text for agents has every endpoint, limit and step, and no URL but this server’s [KARMA-126] [KARMA-127]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    const base = house.house.listening + karma_base;
    const { text, headers, status } = await registry.get('/skill.md');
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8');
    assert.ok(text.startsWith('# Karma\n'));
    for (const said of [
      `GET ${base}/health`,
      `GET ${base}/agents/{agent_id}/reputation`,
      `POST ${base}/reviews`,
      `GET ${base}/agents/{agent_id}/reviews?limit={limit}&offset={offset}`,
      `GET ${base}/reviews/{review_id}`,
      `GET ${base}/choose?candidates={id1},{id2},{id3}`,
      `GET ${base}/agents/{agent_id}/badge.svg`,
      `GET ${base}/leaderboard?limit={limit}`,
      `POST ${base}/reviews/{review_id}/reply`,
      `POST ${base}/reviews/{review_id}/withdraw`,
      `${base}/openapi.json`,
      `${base}/docs`,
      '30 reviews in 10 minutes',
      'at most 1000 characters',
      'at most 10000 characters',
      '1 to 200',
      '1 to 100',
      '1 to 50 ids',
      '422',
      '429',
      'seeded_trust',
      'canonical JSON',
      // What signals are for, how old they may be, and who gets an id.
      'binds the id to its key, whoever sent it',
      'It is not weighted by reviewer',
      'even if it withdrew that',
      'Every other number is 0 seconds old',
      'at most 60 seconds after a review',
      'more than 256 others',
    ]) {
      assert.ok(text.includes(said), said);
    }
    for (let step = 1; step <= 8; step += 1) assert.match(text, new RegExp(`^${step}\\. `, 'm'));
    for (const [url] of text.matchAll(/[a-z]+:\/\/[^\s"'<>),`]+/gi)) {
      assert.ok(url === base || url.startsWith(`${base}/`), url);
    }
    assert.doesNotMatch(text, /vercel|\{base\}|\{self\}|example\.(org|com)/);
  });

  test('openapi.json describes what there is, and the docs show it with files of this server alone [KARMA-128] [KARMA-129]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    const { body, status } = await registry.get('/openapi.json');
    assert.equal(status, 200);
    const document = body as {
      openapi: string;
      servers: { url: string }[];
      paths: Record<string, Record<string, Operation>>;
    };
    assert.match(document.openapi, /^3\./);
    assert.deepEqual(document.servers, [{ url: house.house.listening + karma_base }]);
    const operation = (method: string, path: string) =>
      document.paths[path]?.[method] ?? assert.fail(`${method} ${path}`);
    for (const [method, path, parameters, statuses] of described) {
      const { parameters: named = [], responses } = operation(method, path);
      assert.deepEqual(named.map(({ name }) => name).sort(), [...parameters].sort(), path);
      for (const one of statuses) assert.ok(responses[one], `${path} ${one}`);
    }
    const bounds = (path: string, name: string) => {
      const { parameters = [] } = operation('get', path);
      const { schema } = parameters.find((of) => of.name === name) ?? assert.fail();
      return [schema.minimum, schema.maximum, schema.default];
    };
    assert.deepEqual(bounds('/agents/{agent_id}/reviews', 'limit'), [1, 200, 50]);
    assert.deepEqual(bounds('/leaderboard', 'limit'), [1, 100, 20]);
    assert.equal(bounds('/agents/{agent_id}/reviews', 'offset')[0], 0);
    const { properties } =
      operation('post', '/reviews').requestBody?.content['application/json']?.schema ??
      assert.fail();
    const { rating, outcome, reviewer_id } = properties as Record<string, Record<string, unknown>>;
    assert.deepEqual([rating?.minimum, rating?.maximum], [1, 5]);
    assert.deepEqual(outcome?.enum, ['succeeded', 'failed', 'partial']);
    assert.deepEqual([reviewer_id?.minLength, reviewer_id?.maxLength], [1, 200]);
    const badge = operation('get', '/agents/{agent_id}/badge.svg').responses['200'];
    assert.deepEqual(Object.keys(badge?.content ?? {}), ['image/svg+xml']);

    const docs = await registry.get('/docs');
    assert.equal(docs.status, 200);
    assert.equal(docs.headers.get('content-type'), 'text/html; charset=utf-8');
    const policy = docs.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    assert.doesNotMatch(docs.text, /https?:\/\//);
    for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css']) {
      assert.ok(docs.text.includes(file));
      assert.equal((await registry.get(`/docs/files/${file}`)).status, 200);
    }
    for (const file of ['index.html', 'swagger-initializer.js', '../package.json', 'nothing']) {
      const path = `${karma_base}/docs/files/${file}`;
      assert.equal((await requestWith(house, path)).status, 404, file);
    }
  });
});
