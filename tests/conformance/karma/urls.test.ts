import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, assertAnswered, assertNothingLeaks } from '../../support/answers.ts';
import { forEachEngine, forOneEngine } from '../../support/engines.ts';
import { openTestHouse } from '../../support/open-house.ts';
import { exchange, parseAnswer, requestWith } from '../../support/raw-http.ts';
import {
  assertDetail,
  assertInvalid,
  karma_base,
  not_found,
  registryOf,
  reviewBody,
  unknownAgent,
} from './registry.ts';

const replacement = '\ufffd';
const unknownReview = (id: string) => ({ error: `unknown review id: ${id}`, see: '/skill.md' });
const octetsOf = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, 'Connection: close', ...headers, '', ''].join('\r\n');

/** In a path, and the id that is given back. */
const ids_of_nobody = [
  ['%00', '\0'],
  ['a%00b', 'a\0b'],
  ['%FF', replacement],
  ['caf%E9', `caf${replacement}`],
  ['%C3%28', `${replacement}(`],
  ['%ED%A0%80', replacement.repeat(3)],
  ['%F0%9F%A4', replacement],
  ['%EF%BF%BD%FF', replacement.repeat(2)],
  ['a%2Fb%FF', `a/b${replacement}`],
] as const;

forEachEngine((engine) => {
  test('what no id can be in a path is unknown like any other: U+0000, and octets that are no UTF-8 [KARMA-014] [KARMA-080] [KARMA-085] [KARMA-107] [KARMA-146]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    // What is printed in place of such octets may be somebody's id, who gains nothing by it.
    for (const id of [replacement, replacement.repeat(2), `caf${replacement}`, '%FF', '%00']) {
      await registry.review('asks', id);
    }
    const ask = (path: string) => requestWith(house, karma_base + path);
    for (const [in_path, id] of ids_of_nobody) {
      const path = `/agents/${in_path}`;
      assertAnswered(await ask(`${path}/reputation`), 404, unknownAgent(id), in_path);
      assertAnswered(await ask(`${path}/reviews?limit=1`), 200, [], in_path);
      const badge = await ask(`${path}/badge.svg`);
      assert.equal(badge.status, 200, in_path);
      assert.match(badge.text, /unrated/);
      assertAnswered(await ask(`/reviews/${in_path}`), 404, unknownReview(id), in_path);
      const { ranking } = (await ask(`/choose?candidates=${in_path}`)).body as {
        ranking: { agent_id: string; known: boolean }[];
      };
      assert.deepEqual(
        ranking.map(({ agent_id, known }) => [agent_id, known]),
        [[id, false]],
        in_path,
      );
    }
    assert.equal((await ask('/agents/%EF%BF%BD/reputation')).status, 200);
    assertAnswered(await ask('/agents/%FF'), 404, not_found);
    assertAnswered(await ask('/%FF'), 404, not_found);
    const page = await ask('/?agent=%FF');
    assert.equal(page.status, 200);
    assert.match(page.text, /Nobody here knows this agent/);
    assert.equal((await ask('/?agent=%00')).status, 200);
  });
});

forOneEngine((engine) => {
  test('a percent sign that encodes nothing is itself [KARMA-146]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    await registry.review('a', '100%');
    for (const [path, id] of [
      ['/agents/100%/reputation', '100%'],
      ['/agents/100%25/reputation', '100%'],
      ['/agents/%3100%/reputation', '100%'],
    ] as const) {
      const { body } = await requestWith(house, karma_base + path);
      assert.equal((body as { agent_id: string }).agent_id, id, path);
    }
    const odd = await requestWith(house, `${karma_base}/agents/%zz%2/reputation`);
    assertAnswered(odd, 404, unknownAgent('%zz%2'));
    const { body } = await requestWith(house, `${karma_base}/choose?candidates=100%,%zz%20x`);
    const { chosen, ranking } = body as { chosen: string; ranking: { agent_id: string }[] };
    assert.deepEqual([chosen, ranking[1]?.agent_id], ['100%', '%zz x']);
  });

  test('the room reads odd URLs at a host of its own too', async () => {
    await using house = await openTestHouse({
      engine,
      rooms: ['karma'],
      config: { hosts: { karma: ['karma.example.org'] } },
    });
    const headers = { host: 'karma.example.org' };
    const answer = await requestWith(house, '/agents/%FF/reputation', { headers });
    assertAnswered(answer, 404, unknownAgent(replacement));
    const broken = await exchange(house, octetsOf('FOO /health', 'Host: karma.example.org'));
    assertDetail(parseAnswer(broken), 400, 'This is not HTTP as we know it.');
  });

  test('fifty candidates of two hundred characters are asked about at once, percent-encoded [KARMA-102]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const ids = Array.from(
      { length: 50 },
      (_, index) => '🤖'.repeat(199) + String.fromCodePoint(0x1f300 + index),
    );
    await registryOf(house).review('a', ids[7] ?? '');
    const path = `${karma_base}/choose?candidates=${encodeURIComponent(ids.join(','))}`;
    assert.ok(path.length > 120_000);
    const { status, body } = await requestWith(house, path);
    assert.equal(status, 200);
    const { chosen, ranking } = body as { chosen: string; ranking: unknown[] };
    assert.deepEqual([chosen, ranking.length], [ids[7], 50]);
    const more = await requestWith(house, `${path}${encodeURIComponent(`,${'🤖'.repeat(200)}`)}`);
    assertAnswered(more, 422, { detail: 'at most 50 candidates per call' });
    const long = 'x'.repeat(100_000);
    const unknown = await requestWith(house, `${karma_base}/agents/${long}/reputation`);
    assertAnswered(unknown, 404, unknownAgent(long));
  });

  test('a URL or headers beyond what is taken are 431 in the room’s words, whole, and alone [KARMA-147]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const answerTo = async (octets: string): Promise<Answer> =>
      parseAnswer(await exchange(house, octets));
    const host = 'Host: x';
    const url_max = 163_840;
    const fill = (start: string, bytes: number) => start + 'x'.repeat(bytes - start.length);
    const query = `${karma_base}/choose?candidates=`;
    const fits = await answerTo(octetsOf(`GET ${fill(query, url_max)}`, host));
    assert.equal(fits.status, 200);
    const long = await answerTo(octetsOf(`GET ${fill(query, url_max + 1)}`, host));
    assertDetail(long, 431, 'URL is too long; send one of at most 163840 bytes');
    // What no room takes is refused before it is read to its end.
    const beyond = await answerTo(octetsOf(`GET ${fill(query, 1_000_000)}`, host));
    assertDetail({ ...beyond, body: karmaBody(beyond) }, 431, /too large/);

    const headers = ['Connection: close', host];
    const used = headers.join('\r\n').length + 2;
    const filled = (bytes: number) => fill('X-Long: ', bytes - used - 2);
    const ask = (header: string) => answerTo(octetsOf(`GET ${karma_base}/health`, host, header));
    assert.equal((await ask(filled(16_384))).status, 200);
    const large = 'headers are too large; send at most 16384 bytes';
    assertDetail(await ask(filled(16_385)), 431, large);
    const post = octetsOf(`POST ${karma_base}/reviews`, host, filled(20_000));
    assertDetail(await answerTo(post), 431, large);
    assert.equal((await registryOf(house).get('/leaderboard')).status, 200);
  });

  test('a URL may name the server, and then the server that it names is asked', async () => {
    await using house = await openTestHouse({
      engine,
      rooms: ['karma'],
      config: { hosts: { karma: ['karma.example.org'] } },
    });
    const answerTo = async (url: string): Promise<Answer> =>
      parseAnswer(await exchange(house, octetsOf(`GET ${url}`, 'Host: x')));
    for (const [url, body] of [
      [`http://x${karma_base}/agents/b/reputation`, unknownAgent('b')],
      [`HTTP://x:80${karma_base}/agents/%FF/reputation`, unknownAgent(replacement)],
      ['http://karma.example.org/agents/%FF/reputation?x', unknownAgent(replacement)],
      [`http://x${karma_base}/%zz`, not_found],
    ] as const) {
      assertAnswered(await answerTo(url), 404, body, url);
    }
    for (const url of [
      'http://x',
      'http://x?y',
      'http://x/',
      'https://karma.example.org?agent=b',
    ]) {
      assert.equal((await answerTo(url)).status, 200, url);
    }
    for (const url of ['http://x/%zz', 'http://x/guestbook/%FF', 'ftp://x/%FF', 'x:%FF', '*']) {
      const { status, text } = await answerTo(url);
      assert.ok(status < 500, `${url} ${status}`);
      assertNothingLeaks(text);
    }
    assert.equal((await answerTo(`${karma_base}/health`)).status, 200);
  });

  test('what is no HTTP is refused in the room’s shape [KARMA-148]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    await registry.review('a', 'é');
    for (const [octets, detail] of [
      [octetsOf(`GET ${karma_base}/health`), 'host header is missing; send one'],
      [octetsOf(`FOO ${karma_base}/health`, 'Host: x'), 'This is not HTTP as we know it.'],
      [octetsOf(`GET ${karma_base}/health`, 'Host: x', 'no header'), /not HTTP/],
      [
        octetsOf(`GET ${karma_base}/agents/é/reputation`, 'Host: x'),
        'The URL holds characters that must be percent-encoded.',
      ],
      [octetsOf(`GET ${karma_base}/choose?candidates=é`, 'Host: x'), /percent-encoded/],
    ] as const) {
      const answer = parseAnswer(await exchange(house, octets));
      assertDetail(answer, 400, detail);
      assertNothingLeaks(answer.text);
    }
    for (const method of ['TRACE', 'PROPFIND', 'QUERY']) {
      const octets = octetsOf(`${method} ${karma_base}/reviews`, 'Host: x');
      assertAnswered(parseAnswer(await exchange(house, octets)), 404, not_found, method);
    }
  });

  test('a review id is written in one way [KARMA-085]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    const id = await registry.review('a', 'b');
    assert.equal((await registry.get(`/reviews/${id}`)).status, 200);
    for (const other of ['01', '+1', '1.0', '1e0', '0x1', '%201', '1%20', '٠١', '９']) {
      assertAnswered(
        await registry.get(`/reviews/${other}`),
        404,
        unknownReview(decodeURIComponent(other)),
      );
    }
  });

  test('a character that cannot be seen is part of an id, white space around candidates is not [KARMA-004] [KARMA-101]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    const marked = ['\ufeffbom', 'bom\ufeff', '\u200bzero', 'bom'];
    for (const id of marked) {
      const { body } = await registry.post(reviewBody({ subject_id: id }));
      assert.equal((body as { subject_id: string }).subject_id, id);
      assert.equal((await registry.reputation(id)).review_count, 1);
    }
    const candidates = [...marked.map((id) => `\u2003${id}\u0085\u00a0`), '\u3000'].join(',');
    const { body } = await registry.get(`/choose?candidates=${encodeURIComponent(candidates)}`);
    const { ranking } = body as { ranking: { agent_id: string; known: boolean }[] };
    assert.deepEqual(
      ranking.map(({ agent_id, known }) => [agent_id, known]).sort(),
      marked.map((id) => [id, true]).sort(),
    );
    // As long as it may be, and read in no time.
    const wide = `${'%20'.repeat(50_000)}x`;
    const started = performance.now();
    assert.equal((await registry.get(`/choose?candidates=${wide}x`)).status, 200);
    assert.ok(performance.now() - started < 2_000);
  });

  test('every kind of JSON is read, in UTF-8 alone, and nothing that a foreign page may send', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    const post = (type: string) => registry.post(reviewBody(), { 'content-type': type });
    for (const type of [
      'application/json',
      'application/json; charset=UTF-8',
      'application/vnd.agent.v1+json',
      'text/x+json',
      'TEXT/X+JSON;charset=utf-8',
    ]) {
      assert.equal((await post(type)).status, 201, type);
    }
    for (const type of [
      'text/plain',
      'text/json',
      'text/plain;+json',
      'text/plain; a=x/y+json',
      '+json',
      'application/+json',
      'application/x-www-form-urlencoded',
      'application/json; charset=latin1',
    ]) {
      const [fault] = assertInvalid(await post(type), [['body']], type);
      assert.equal((fault as { type?: string }).type, 'json_invalid');
    }
  });
});

/** A refusal of the HTTP parser is the house's, where it cannot see which room was asked. */
function karmaBody({ body }: Answer): unknown {
  const { error, ...rest } = body as { error?: { message: string } };
  return error ? { detail: error.message } : rest;
}
