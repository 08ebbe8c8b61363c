import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import pg from 'pg';
import { makeAgents } from '../support/agents.ts';
import {
  type Answer,
  assertAnswered,
  assertNothingLeaks,
  assertRefused,
  readAnswer,
} from '../support/answers.ts';
import { forOneEngine } from '../support/engines.ts';
import { bookOf } from '../support/guestbook.ts';
import { openTestHouse, type TestHouse } from '../support/open-house.ts';
import {
  exchange,
  openConnection,
  parseAnswer,
  readToEnd,
  requestWith,
} from '../support/raw-http.ts';

const json = { 'content-type': 'application/json' };

async function ask(house: TestHouse, path: string, init?: RequestInit): Promise<Answer> {
  return readAnswer(await house.fetch(path, init));
}

const post = (body: BodyInit | null, headers: Record<string, string> = json): RequestInit => ({
  method: 'POST',
  body,
  headers,
});

/** A request as its octets; the connection ends with the answer. */
const octetsOf = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, 'Host: 127.0.0.1', 'Connection: close', ...headers, '', ''].join('\r\n');

forOneEngine((engine) => {
  test('the house says that it lives and that its database answers', async () => {
    await using house = await openTestHouse({ engine });
    for (const path of ['/health', '/ready', '/health?x=1']) {
      assertAnswered(await ask(house, path), 200, { status: 'ok' });
      const { status, text } = await ask(house, path, { method: 'HEAD' });
      assert.deepEqual({ status, text }, { status: 200, text: '' });
    }
  });

  test('every answer carries a request id of its own, whatever the caller calls it', async () => {
    await using house = await openTestHouse({ engine });
    const ids = new Set<string>();
    const asked = [
      () => ask(house, '/'),
      () => ask(house, '/health', { headers: { 'x-request-id': 'mine' } }),
      () => ask(house, '/health', { headers: { 'x-request-id': 'req_AAAAAAAAAAAA' } }),
      () => ask(house, '/llms.txt'),
      () => ask(house, '/openapi.json'),
      () => ask(house, '/nowhere'),
      () => ask(house, '/nowhere', { headers: { accept: 'text/html' } }),
      () => ask(house, '/health', post('{}')),
      () => ask(house, '/assets/stoa.css'),
      () => ask(house, '/assets/nothing.css'),
      () => ask(house, '/guestbook'),
      () => ask(house, '/guestbook/'),
      () => ask(house, '/guestbook/nowhere'),
      () => ask(house, '/guestbook/api/guestbook/head'),
      () => ask(house, '/guestbook/api/guestbook/entries', post('{}')),
      () => ask(house, '/guestbook/api/guestbook/entries?limit=0'),
      async () => parseAnswer(await exchange(house, octetsOf('GET /%zz'))),
    ];
    for (const [index, one] of asked.entries()) {
      const id = (await one()).headers.get('x-request-id') ?? '';
      assert.match(id, /^req_[\w-]{12}$/, String(index));
      ids.add(id);
    }
    assert.equal(ids.size, asked.length);
    assert.ok(!ids.has('req_AAAAAAAAAAAA'));
  });

  test('an unknown path is 404 and a wrong method 405 with Allow, whatever the body', async () => {
    await using house = await openTestHouse({ engine });
    const bodies: [body: string | null, headers: Record<string, string>][] = [
      [null, {}],
      ['{}', json],
      ['no JSON', json],
      ['no JSON', { 'content-type': 'image/png' }],
      ['x'.repeat(100_000), {}],
    ];
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      for (const [body, headers] of bodies) {
        if (body !== null && (method === 'GET' || method === 'HEAD')) continue;
        const init = { method, body, headers };
        for (const path of ['/nowhere', '/health/', '/HEALTH', '/llms.txt/x', '/index.html']) {
          const answer = await ask(house, path, init);
          if (method === 'HEAD') assert.equal(answer.status, 404);
          else assertRefused(answer, [404, 'not-found'], { what: `${method} ${path}` });
        }
        for (const [path, allow] of [
          ['/', 'GET, HEAD'],
          ['/health', 'GET, HEAD'],
          ['/ready', 'GET, HEAD'],
          ['/llms.txt', 'GET, HEAD'],
          ['/openapi.json', 'GET, HEAD'],
          ['/.well-known/agent-card.json', 'GET, HEAD'],
          ['/practice/clock', 'POST'],
        ] as const) {
          if (allow.includes(method)) continue;
          const answer = await ask(house, path, init);
          if (method === 'HEAD') assert.equal(answer.status, 405);
          else assertRefused(answer, [405, 'method-not-allowed'], { what: `${method} ${path}` });
          assert.equal(answer.headers.get('allow'), allow);
        }
      }
    }
  });

  test('a browser gets a page where it asks for one that is not there, a program JSON', async () => {
    await using house = await openTestHouse({ engine });
    const as_browser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
    for (const path of ['/nowhere', '/guestbook/nowhere', '/assets/nothing.png']) {
      const page = await ask(house, path, as_browser);
      assert.equal(page.status, 404);
      assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
      assertNothingLeaks(page.text);
      assert.match(page.headers.get('vary') ?? '', /accept/i);
      assertRefused(await ask(house, path), [404, 'not-found']);
    }
    const hostile = await ask(house, '/<script>alert(1)</script>?"><img src=x>', as_browser);
    assert.doesNotMatch(hostile.text, /alert|<img src=x>/);
    const wrong = await ask(house, '/guestbook/?before=nobody', as_browser);
    assert.equal(wrong.status, 400);
    assertNothingLeaks(wrong.text);
  });

  test('the practice clock is moved, held still and let go on; a body that is wrong says what', async () => {
    await using house = await openTestHouse({
      engine,
      start: Date.parse('2026-09-07T12:00:00.000Z'),
    });
    const path = '/practice/clock';
    const bad = [400, 'invalid-request'] as const;
    const moved: [body: object, now: string][] = [
      [{}, '2026-09-07T12:00:00.000Z'],
      [{ advance_seconds: 0 }, '2026-09-07T12:00:00.000Z'],
      [{ advance_seconds: 1.5 }, '2026-09-07T12:00:01.500Z'],
      [{ advance_seconds: 86_400, other: true }, '2026-09-08T12:00:01.500Z'],
      [{ stopped: true, advance_seconds: 0.001 }, '2026-09-08T12:00:01.501Z'],
    ];
    for (const [body, now] of moved) {
      assertAnswered(await ask(house, path, post(JSON.stringify(body))), 200, { now });
    }
    const types = [
      'application/json',
      'application/json; charset=utf-8',
      'APPLICATION/JSON;charset="UTF-8"',
    ];
    for (const type of types) {
      const answer = await ask(house, path, post('{}', { 'content-type': type }));
      assertAnswered(answer, 200, { now: '2026-09-08T12:00:01.501Z' });
    }
    const refused: [about: string, body: BodyInit | null, headers?: Record<string, string>][] = [
      ['body', ''],
      ['body', null],
      ['body', 'no JSON'],
      ['body', '{"advance_seconds":1'],
      ['body', '[]'],
      ['body', 'null'],
      ['body', '7'],
      ['body', '\ufeff{}'],
      ['body', Uint8Array.of(0x7b, 0xff, 0x7d)],
      ['advance_seconds', '{"advance_seconds":-1}'],
      ['advance_seconds', '{"advance_seconds":"1"}'],
      ['advance_seconds', '{"advance_seconds":null}'],
      ['advance_seconds', '{"advance_seconds":1e300}'],
      ['advance_seconds', '{"advance_seconds":[1]}'],
      ['stopped', '{"stopped":"true"}'],
      ['stopped', '{"stopped":0}'],
      ['content-type', '{}', { 'content-type': 'text/plain' }],
      ['content-type', '{}', { 'content-type': 'application/x-www-form-urlencoded' }],
      ['content-type', '{}', { 'content-type': 'application/json; charset=latin1' }],
      ['content-type', '{}', { 'content-type': 'application/jsonx' }],
      ['content-type', '{}', { 'content-type': 'nonsense' }],
    ];
    for (const [about, body, headers] of refused) {
      assertRefused(await ask(house, path, post(body, headers)), bad, {
        about,
        what: `${body} ${headers?.['content-type']}`,
      });
    }
    const deep = `{"advance_seconds":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
    assert.equal((await ask(house, path, post(deep))).status, 400);
    const large = [413, 'body-too-large'] as const;
    const fits = `{"padding":"${'x'.repeat(16_384 - 14)}"}`;
    assert.equal(fits.length, 16_384);
    assert.equal((await ask(house, path, post(fits))).status, 200);
    for (const body of [`${fits} `, 'x'.repeat(1_000_000)]) {
      assertRefused(await ask(house, path, post(body)), large, { about: 'body' });
    }
    const headers = { ...json, 'transfer-encoding': 'chunked' };
    const chunked = { method: 'POST', headers, body: `${fits} ` };
    assertRefused(await requestWith(house, path, chunked), large, { about: 'body' });
    const still = await ask(house, path, post('{}'));
    assertAnswered(still, 200, { now: '2026-09-08T12:00:01.501Z' });
    const going = await ask(house, path, post('{"stopped":false,"advance_seconds":1}'));
    const { now } = going.body as { now: string };
    assert.ok(now >= '2026-09-08T12:00:02.501Z' && now < '2026-09-08T12:05', now);
  });

  test('without practice mode nobody moves the clock, and nothing speaks of it', async () => {
    await using house = await openTestHouse({ engine, practice: false });
    const answer = await ask(house, '/practice/clock', post('{"advance_seconds":60}'));
    assertRefused(answer, [404, 'not-found']);
    for (const path of ['/', '/llms.txt', '/openapi.json']) {
      const { status, text } = await ask(house, path);
      assert.equal(status, 200);
      assert.doesNotMatch(text, /practice/i);
    }
  });

  test('a path that is no path, or leaves its folder, finds nothing and tells nothing', async () => {
    await using house = await openTestHouse({ engine });
    for (const path of [
      '/%zz',
      '/%',
      '/%c3%28',
      '/%ff',
      '/guestbook/%zz',
      '/guestbook/%e0%a4%a',
      '/guestbook/api/guestbook/%zz',
      '/assets/%zz',
    ]) {
      const answer = parseAnswer(await exchange(house, octetsOf(`GET ${path}`)));
      assertRefused(answer, [400, 'invalid-request'], { what: path });
    }
    for (const path of [
      '/assets/../main.ts',
      '/assets/../../package.json',
      '/assets/%2e%2e/package.json',
      '/assets/%2e%2e%2f%2e%2e%2fpackage.json',
      '/assets/..%5c..%5cpackage.json',
      '/assets/./../src/index.ts',
      '/assets//etc/passwd',
      '/assets/%00',
      '/assets/.hidden',
      '/assets/',
      '/assets',
      '/guestbook/scripts/../../llms.txt',
      '/guestbook/scripts/%2e%2e%2fllms.txt',
      '/guestbook/scripts/',
      '//',
      '//guestbook/',
      '/guestbook//',
      '/./',
      '/../',
      '/%2e%2e/',
      '/%00',
      '/.git/config',
      '/stoa.db',
      '/data/stoa.db',
      `/${'a'.repeat(2_000)}`,
      `/guestbook/${'a/'.repeat(1_000)}`,
      '/__proto__',
      '/constructor',
      '/guestbook/__proto__',
    ]) {
      const answer = parseAnswer(await exchange(house, octetsOf(`GET ${path}`)));
      assertRefused(answer, [404, 'not-found'], { what: path });
    }
  });

  test('what is not HTTP is told so, and the house goes on', async () => {
    await using house = await openTestHouse({ engine });
    for (const octets of [
      'HELLO\r\n\r\n',
      '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
      'GET / HTTP/9.9\r\n\r\n',
      'GET /a\u0000b HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\nBad Header: x\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'POST /practice/clock HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n',
    ]) {
      const answer = parseAnswer(await exchange(house, octets));
      assertRefused(answer, [400, 'invalid-request'], { what: octets });
      assert.equal(answer.headers.get('connection'), 'close');
    }
    const without_host = 'HTTP/1.1\r\nConnection: close\r\n\r\n';
    for (const path of ['/health', '/nowhere', '/guestbook/api/guestbook/head']) {
      const answer = parseAnswer(await exchange(house, `GET ${path} ${without_host}`));
      assertRefused(answer, [400, 'invalid-request'], { about: 'host' });
    }
    for (const path of ['/', '/guestbook/']) {
      const page = parseAnswer(await exchange(house, `GET ${path} ${without_host}`));
      assert.equal(page.status, 400);
      assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
      assertNothingLeaks(page.text);
    }
    const older = parseAnswer(await exchange(house, 'GET /health HTTP/1.0\r\n\r\n'));
    assertAnswered(older, 200, { status: 'ok' });
    assertAnswered(await ask(house, '/health'), 200, { status: 'ok' });
  });

  test('headers beyond 16 KB are 431, in one line, in many, or as a path', async () => {
    await using house = await openTestHouse({ engine });
    const long = 'x'.repeat(17_000);
    const many = Array.from({ length: 2_000 }, (_, index) => `X-${index}: ${index}`);
    for (const octets of [
      octetsOf('GET /health', `X-Long: ${long}`),
      octetsOf('GET /health', ...many),
      octetsOf(`GET /${long}`),
      octetsOf(`GET /guestbook/api/guestbook/entries?${long}`),
    ]) {
      const answer = parseAnswer(await exchange(house, octets));
      assertRefused(answer, [431, 'headers-too-large']);
    }
    const fits = octetsOf('GET /health', `X-Long: ${'x'.repeat(15_000)}`);
    assert.equal(parseAnswer(await exchange(house, fits)).status, 200);
  });

  test('a client that sends its headers or its body too slowly is told 408 and let go', async () => {
    const http = {
      header_timeout_ms: 250,
      request_timeout_ms: 500,
      keep_alive_timeout_ms: 65_000,
      connections_max: 100,
      body_bytes_max: 16_384,
    };
    await using house = await openTestHouse({ engine, config: { http } });
    for (const start of [
      'GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: ',
      'POST /practice/clock HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
      'POST /guestbook/api/guestbook/entries HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{',
    ]) {
      const answer = parseAnswer(await exchange(house, start));
      assertRefused(answer, [408, 'request-timeout'], { what: start });
      assert.equal(answer.headers.get('connection'), 'close');
    }
    assertAnswered(await ask(house, '/health'), 200, { status: 'ok' });
  });

  test('connections beyond the bound are closed at once, and the open ones go on', async () => {
    const http = {
      header_timeout_ms: 10_000,
      request_timeout_ms: 30_000,
      keep_alive_timeout_ms: 65_000,
      connections_max: 3,
      body_bytes_max: 16_384,
    };
    await using house = await openTestHouse({ engine, config: { http } });
    const open = [];
    for (let count = 0; count < 3; count += 1) {
      const socket = openConnection(house);
      await once(socket, 'connect');
      socket.write('GET /health HTTP/1.1\r\nHost: x\r\n');
      open.push(socket);
    }
    assert.equal(await readToEnd(openConnection(house)), '');
    for (const socket of open) {
      socket.write('Connection: close\r\n\r\n');
      assert.equal(parseAnswer(await readToEnd(socket)).status, 200);
    }
    assertAnswered(await ask(house, '/health'), 200, { status: 'ok' });
  });

  test('an idle connection is kept for as long as the configuration says', async () => {
    const http = {
      header_timeout_ms: 10_000,
      request_timeout_ms: 30_000,
      keep_alive_timeout_ms: 50,
      connections_max: 100,
      body_bytes_max: 16_384,
    };
    await using house = await openTestHouse({ engine, config: { http } });
    const answer = parseAnswer(await exchange(house, 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'));
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('connection'), 'keep-alive');
  });

  test('the front page, the text for agents and the card name the rooms under this house’s own URLs', async () => {
    await using house = await openTestHouse({ engine });
    const origin = house.house.listening;
    assert.equal(house.house.origin, origin);
    const page = await ask(house, '/');
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.equal(page.headers.get('x-content-type-options'), 'nosniff');
    assert.doesNotMatch(page.text, /<script/);
    const manual = await ask(house, '/llms.txt');
    assert.equal(manual.headers.get('content-type'), 'text/plain; charset=utf-8');
    assert.ok(manual.text.includes(`${origin}/guestbook/llms.txt`));
    const card = await ask(house, '/.well-known/agent-card.json');
    assert.equal(card.headers.get('content-type'), 'application/json; charset=utf-8');
    const { documentationUrl, skills } = card.body as {
      documentationUrl: string;
      skills: { id: string }[];
    };
    assert.equal(documentationUrl, `${origin}/llms.txt`);
    assert.ok(skills.some(({ id }) => id === 'guestbook'));
    for (const { text } of [page, manual, card]) {
      for (const [url] of text.matchAll(/https?:\/\/[^\s"'<>),]+/g)) {
        assert.ok(url.startsWith(origin), url);
      }
    }
    const moved = await ask(house, '/guestbook', { redirect: 'manual' });
    assert.equal(moved.status, 308);
    assert.equal(moved.headers.get('location'), '/guestbook/');
  });

  test('with a public URL it is the one that is printed', async () => {
    const public_url = 'https://stoa.example.org';
    await using house = await openTestHouse({ engine, config: { public_url } });
    for (const path of [
      '/llms.txt',
      '/openapi.json',
      '/guestbook/llms.txt',
      '/guestbook/openapi.json',
    ]) {
      const { text } = await ask(house, path);
      assert.ok(text.includes(public_url), path);
      assert.ok(!text.includes('127.0.0.1'), path);
    }
    assert.equal(house.house.rooms.guestbook, `${public_url}/guestbook`);
  });

  // SQLite is a part of the process: it cannot be away.
  if (engine !== 'postgres') return;

  test('while the database is away the house says that it is not ready, and goes on when it is back', async () => {
    await using house = await openTestHouse({ engine });
    const book = bookOf(house);
    const [agent = assert.fail(), other = assert.fail()] = makeAgents(2);
    await book.register(agent.registration());
    await book.register(other.registration());
    await book.write(agent);
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
      const answer = await ask(house, '/ready');
      assertRefused(answer, [503, 'not-ready']);
      assert.equal(answer.headers.get('retry-after'), '2');
      assertAnswered(await ask(house, '/health'), 200, { status: 'ok' });
      for (const failed of [await book.head(), await book.write(other)]) {
        assertRefused(failed, [500, 'internal-error']);
      }
      await operator.query(`alter database ${name} allow_connections true`);
    } finally {
      await operator.end();
    }
    let tries_left = 1_000;
    while ((await ask(house, '/ready')).status !== 200 && tries_left > 0) tries_left -= 1;
    assertAnswered(await ask(house, '/ready'), 200, { status: 'ok' });
    assert.equal((await book.write(other)).status, 201);
    assert.equal((await book.visible()).length, 2);
  });
});
