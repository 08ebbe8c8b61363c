import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bar_endpoints } from '@stoa/wire';
import { enterBar } from '../../support/bar-agents.ts';
import { assertSaysNo, barOf, callHost } from '../../support/bar-api.ts';
import { knock, one_prefix, passDoor } from '../../support/bar-door.ts';
import { forOneEngine } from '../../support/engines.ts';
import { behind_proxy, fromAddress } from '../../support/guestbook.ts';
import { openTestHouse } from '../../support/open-house.ts';
import { exchange, parseAnswer, requestWith } from '../../support/raw-http.ts';

const bad = [400, 'bad_request'] as const;
const unknown = [404, 'not_found'] as const;
const wrong_method = [405, 'method_not_allowed'] as const;
const too_large = [413, 'body_too_large'] as const;
const json = { 'content-type': 'application/json' };

const nobody = `ag_${'0'.repeat(16)}`;

/** A route's path under `/api/v1` with this in place of its parameter. */
const pathWith = ({ path }: { path: string }, parameter: string) =>
  path.slice('/api/v1'.length).replace(/:\w+/, () => parameter);

/** What the parameter of a route may be, with nothing of that name there. */
const absent = ({ path }: { path: string }) =>
  path.includes(':slug') ? 'no-such-room' : path.includes('/agents/') ? nobody : '999999';

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

forOneEngine((engine) => {
  test('every answer is JSON that may not be stored, whatever comes of the request [BAR-001] [BAR-002] [BAR-012] [BAR-020]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const { agent_id, key, token } = await enterBar(house, 'Asker', { state: 'trusted' });
    const banned = await enterBar(house, 'Banned', { state: 'banned' });
    // `call` holds each to JSON, no-store, its envelope and openapi.json.
    const statuses = new Set<number>();
    const ask = async (...given: Parameters<typeof bar.call>) => {
      const { status } = await bar.call(...given);
      statuses.add(status);
    };
    await ask('GET', '');
    await ask('GET', '/health');
    await ask('GET', '/door');
    await ask('GET', '/me', { token });
    await ask('GET', '/me');
    await ask('GET', '/me', { token: banned.token });
    await ask('GET', '/agents/x', { token });
    await ask('GET', '/nowhere');
    await ask('GET', '/agents/x/y/z', { token });
    await ask('DELETE', '/me', { token });
    await ask('OPTIONS', '/me');
    await ask('PATCH', '/me', { token, body: {} });
    await ask('PATCH', '/me', { token, body: { name: 'banned' } });
    await ask('PATCH', '/me', { token, body: ' '.repeat(65_537) });
    await ask('POST', '/door/knock', { body: { agent_id, key: 'kk_wrong' } });
    await ask('POST', '/door/answer', { body: { challenge_id: '', nonce: '0', answers: {} } });
    const late = await knock(bar, { agent_id, key });
    house.clock.advance(60_000);
    const answer = { challenge_id: late.challenge_id, nonce: '0', answers: {} };
    await ask('POST', '/door/answer', { body: answer });
    for (let time = 0; time < 30; time += 1) {
      await bar.call('POST', '/door/knock', { body: { name: 'x' } });
    }
    await ask('POST', '/door/knock', { body: { name: 'x' } });
    assert.deepEqual([...statuses].sort(), [200, 400, 401, 403, 404, 405, 409, 410, 413, 429]);
  });

  test('a body of 65,536 bytes is read, one of 65,537 is not [BAR-003]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const { token } = await enterBar(house, 'Talker', { state: 'trusted' });
    const requests: [method: string, path: string, body: object][] = [
      ['POST', '/door/knock', { name: 'Newcomer' }],
      ['POST', '/door/answer', { challenge_id: 'x', nonce: '0', answers: {} }],
      ['PATCH', '/me', { description: 'x' }],
    ];
    for (const [method, path, body] of requests) {
      const text = JSON.stringify({ ...body, padding: '🥛' });
      const largest = text + ' '.repeat(65_536 - Buffer.byteLength(text));
      const fits = await bar.call(method, path, { token, body: largest });
      assert.ok([200, 404].includes(fits.status), fits.text);
      const refused = await bar.call(method, path, { token, body: `${largest} ` });
      assertSaysNo(refused, too_large, { what: path });
      assert.equal(
        refused.text,
        JSON.stringify({
          error: {
            code: 'body_too_large',
            message: 'body is too large; send at most 65536 bytes',
            hint: 'Send less at once; a message body has at most 16384 bytes.',
          },
        }),
      );
      // In chunks, without its length said.
      const chunked = await requestWith(house, `/bar/api/v1${path}`, {
        method,
        headers: { ...json, 'transfer-encoding': 'chunked', authorization: `Bearer ${token}` },
        body: `${largest} `,
      });
      assert.deepEqual([chunked.status, chunked.text], [413, refused.text]);
    }
  });

  test('a body is a JSON object in UTF-8, of at most 100 levels, without __proto__ [BAR-004]', async () => {
    await using house = await openTestHouse({
      engine,
      rooms: ['bar'],
      random: one_prefix,
      config: behind_proxy,
    });
    const bar = barOf(house);
    const { token } = await enterBar(house, 'Talker', { state: 'trusted' });
    const bodies: (string | Uint8Array)[] = [
      '',
      ' ',
      'hello',
      '{',
      '{"name": "x"',
      "{'name': 'x'}",
      '{"name": "x",}',
      '{"name": "x"} {}',
      '{"name": NaN}',
      '\ufeff{"name": "x"}',
      '[]',
      '[{"name": "x"}]',
      'null',
      'true',
      '7',
      '"name"',
      Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d),
      Buffer.from('{"name": "x"}', 'utf16le'),
      '{"name": "x", "__proto__": {"name": "y"}}',
      '{"name": "x", "more": {"__proto__": 1}}',
      `{"name": "x", "more": ${nested(100)}}`,
      nested(30_000),
    ];
    for (const [index, body] of bodies.entries()) {
      const sent = { body, token, headers: { ...json, ...fromAddress(index) } };
      for (const [method, path] of [
        ['POST', '/door/knock'],
        ['POST', '/door/answer'],
        ['PATCH', '/me'],
      ] as const) {
        assertSaysNo(await bar.call(method, path, sent), bad, {
          about: 'body',
          what: String(body),
        });
      }
    }
    const read = [
      `{"name": "x", "more": ${nested(99)}}`,
      `{"name": "x", "more": "${'['.repeat(200)}"}`,
      '{"name": "y", "name": "x", "name": "Last wins"}',
      '\n\t {"name"\r: "x" } ',
      '{"name": "x", "constructor": {"prototype": 1}, "toString": 1}',
    ];
    for (const body of read) {
      const { status, text } = await bar.call('POST', '/door/knock', { body });
      assert.equal(status, 200, text);
    }
    const { session_token } = await passDoor(bar, { name: 'Proto', constructor: 1 });
    assert.equal((await bar.call('GET', '/me', { token: session_token })).status, 200);
  });

  test('a body is of the type application/json, or of none that is said [BAR-005]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const { token } = await enterBar(house, 'Talker', { state: 'trusted' });
    const send = (content_type: string) =>
      bar.call('PATCH', '/me', {
        token,
        body: '{"description": "x"}',
        headers: { 'content-type': content_type },
      });
    for (const type of [
      'application/json',
      'application/json; charset=utf-8',
      'APPLICATION/JSON;charset=UTF-8',
      'application/json; charset="utf-8"; version=1',
      'application/json;',
    ]) {
      assert.equal((await send(type)).status, 200, type);
    }
    for (const type of [
      'text/plain',
      'text/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      'application/ld+json',
      'application/json; charset=latin1',
      'application/json; charset=utf-16',
      'nonsense',
      '*/*',
    ]) {
      const { hint, message } = assertSaysNo(await send(type), bad, {
        about: 'content-type',
        what: type,
      });
      assert.match(message, /application\/json/);
      assert.notEqual(hint, '');
    }
    const untyped = await requestWith(house, '/bar/api/v1/me', {
      method: 'PATCH',
      headers: { authorization: `Bearer ${token}`, 'content-length': '25' },
      body: '{"description":"untyped"}',
    });
    assert.equal(untyped.status, 200, untyped.text);
  });

  test('where no body is wanted none is missed, whatever the type that is said [BAR-006]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const { token } = await enterBar(house, 'Reader', { state: 'trusted' });
    const bodiless = bar_endpoints.filter(
      ({ method, body, body_is_optional }) =>
        method === 'GET' || body === undefined || body_is_optional,
    );
    assert.equal(bodiless.filter(({ method }) => method !== 'GET').length, 8);
    for (const route of bodiless) {
      if (route.name === 'logOut') continue;
      const path = pathWith(route, absent(route));
      const bare = await bar.call(route.method, path, { token });
      const typed = await bar.call(route.method, path, { token, headers: json });
      assert.deepEqual([typed.status, typed.text], [bare.status, bare.text], path);
      assert.ok([200, 404].includes(typed.status), `${path} ${typed.text}`);
    }
    const logout = await bar.call('POST', '/door/logout', { token, headers: json });
    assert.equal(logout.status, 200);
  });

  test('an unknown path is not found, with or without a token, and a slash makes another path [BAR-014]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const { token } = await enterBar(house, 'Lost');
    const paths = [
      '/',
      '/nowhere',
      '/me/',
      '/ME',
      '/health/',
      '/door/knock/',
      '/rooms/the-bar/',
      '/rooms/the-bar/nothing',
      '/agents/',
      '/rooms/',
      '/messages/1',
      '/../../guestbook/llms.txt',
      '/%2e%2e/llms.txt',
      '/me%2fkey',
    ];
    const texts = new Set<string>();
    for (const path of paths) {
      for (const method of ['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS']) {
        for (const given of [undefined, token, 'ks_wrong']) {
          const sent = {
            ...(given === undefined ? {} : { token: given }),
            ...(method === 'GET' ? {} : { body: 'no JSON' }),
          };
          const url = `/bar/api/v1${path}`;
          const octets = `${method} ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${
            given === undefined ? '' : `Authorization: Bearer ${given}\r\n`
          }\r\n`;
          // Not through fetch, which would walk up `..` before it asks.
          const raw = parseAnswer(await exchange(house, octets));
          if (path.includes('..')) {
            assert.equal(raw.status, 404);
            texts.add(raw.text);
            continue;
          }
          const answer = await bar.call(method, path, sent);
          assertSaysNo(answer, unknown, { what: `${method} ${path}` });
          texts.add(answer.text);
        }
      }
    }
    assert.equal(texts.size, 1);
    for (const path of ['', '/', '/nowhere', '/llms.txt/', '/api', '/api/', '/api/v2', '/API/v1']) {
      const answer = await bar.fetch('GET', path);
      assertSaysNo(answer, unknown, { what: path });
      assert.equal(answer.headers.get('cache-control'), 'no-store');
    }
  });

  test('a wrong method is told which ones there are, with or without a token [BAR-015]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const { token } = await enterBar(house, 'Trier');
    const takes = new Map<string, Set<string>>();
    for (const route of bar_endpoints) {
      const path = pathWith(route, absent(route));
      const methods = takes.get(path) ?? new Set();
      methods.add(route.method);
      if (route.method === 'GET') methods.add('HEAD');
      takes.set(path, methods);
    }
    for (const [path, methods] of takes) {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        if (methods.has(method)) continue;
        for (const sent of [{}, { token }, { token: 'ks_wrong' }]) {
          const answer = await bar.call(method, path, sent);
          assert.equal(answer.headers.get('allow'), [...methods].sort().join(', '));
          if (method === 'HEAD') assert.equal(answer.status, 405);
          else assertSaysNo(answer, wrong_method, { what: `${method} ${path}` });
          assert.equal(answer.headers.get('access-control-allow-origin'), null);
        }
      }
    }
  });

  test('a method that the bar has nowhere is wrong where a path is known, and unknown elsewhere [BAR-014] [BAR-015] [BAR-002]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    for (const method of ['TRACE', 'PROPFIND', 'QUERY', 'M-SEARCH', 'UNLOCK']) {
      for (const [path, status, code, allow] of [
        ['/me', 405, 'method_not_allowed', 'GET, HEAD, PATCH'],
        ['/agents/x/block', 405, 'method_not_allowed', 'DELETE, POST'],
        ['/nowhere', 404, 'not_found', null],
      ] as const) {
        const octets = `${method} /bar/api/v1${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
        const answer = parseAnswer(await exchange(house, octets));
        const { error } = answer.body as { error: Record<string, string> };
        assert.deepEqual([answer.status, error.code], [status, code], `${method} ${path}`);
        assert.deepEqual(Object.keys(error), ['code', 'message', 'hint']);
        assert.equal(answer.headers.get('allow'), allow);
        assert.equal(answer.headers.get('cache-control'), 'no-store');
      }
    }
  });

  test('what never became a request is refused with code, message and hint, and may not be stored [BAR-012] [BAR-002]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    for (const [octets, status, code] of [
      ['FOO /bar/api/v1/me HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid-request'],
      [`GET /bar/api/v1/me HTTP/1.1\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`, 431, 'headers_too_large'],
      ['CONNECT /bar/api/v1/me HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'method-not-allowed'],
    ] as const) {
      const answer = parseAnswer(await exchange(house, octets));
      const { error } = answer.body as { error: Record<string, string> };
      assert.deepEqual([answer.status, error.code], [status, code]);
      assert.deepEqual(Object.keys(error), ['code', 'message', 'hint']);
      assert.ok(error.message && error.hint);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.equal(answer.headers.get('connection'), 'close');
    }
  });

  test('HEAD is answered wherever GET is, with its status and headers, and costs the same [BAR-015]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const { token } = await enterBar(house, 'Header');
    for (const route of bar_endpoints.filter(({ method }) => method === 'GET')) {
      const path = pathWith(route, absent(route));
      for (const sent of [{}, { token }]) {
        const got = await bar.call('GET', path, sent);
        const head = await bar.call('HEAD', path, sent);
        assert.deepEqual([head.status, head.text], [got.status, ''], path);
        for (const name of ['content-type', 'content-length', 'www-authenticate']) {
          assert.equal(head.headers.get(name), got.headers.get(name), `${path} ${name}`);
        }
      }
    }
    for (let time = 0; time < 130; time += 1) {
      const { status } = await bar.call(time % 2 ? 'GET' : 'HEAD', '/me', { token });
      if (status === 200) continue;
      assert.equal(status, 429);
      return;
    }
    assert.fail('no limit was met');
  });

  test('a parameter of the wrong form is as unknown as any other [BAR-017]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const { agent_id, token } = await enterBar(house, 'Asker', { state: 'trusted' });
    const bodies: Readonly<Record<string, object>> = {
      inviteAgent: { agent_id },
      postMessage: { body: 'x' },
      sendDm: { body: 'x' },
      flagMessage: { reason: 'spam' },
    };
    const misformed = [
      '',
      'x',
      'THE-BAR',
      '-the-bar',
      agent_id.toUpperCase(),
      '0',
      '-1',
      '1.5',
      '1e3',
      '007',
      '9007199254740993',
      '99999999999999999999',
      '%00',
      '%20',
      '%F0%9F%A5%9B',
      'x'.repeat(300),
      "x'%20or%20'1'='1",
    ];
    const routes = bar_endpoints.filter(({ path }) => path.includes(':'));
    assert.equal(routes.length, 15);
    for (const route of routes) {
      const sent = { token, ...(bodies[route.name] ? { body: bodies[route.name] } : {}) };
      const missing = await bar.call(route.method, pathWith(route, absent(route)), sent);
      assertSaysNo(missing, unknown, { what: route.name });
      for (const parameter of misformed) {
        const answer = await bar.call(route.method, pathWith(route, parameter), sent);
        assert.equal(answer.text, missing.text, `${route.name} ${parameter}`);
        house.clock.advance(1_000);
      }
    }
  });

  test('a path that cannot be decoded is as unknown as any other [BAR-014] [BAR-017] [BAR-002] [BAR-012] [BAR-020]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const { token } = await enterBar(house, 'Asker');
    const missing = await bar.call('GET', `/agents/${nobody}`, { token });
    for (const path of [
      '/agents/%zz',
      '/rooms/%E0%A4%A',
      '/%',
      '/agents/%FF',
      '/messages/%/flag',
    ]) {
      for (const [method, authorization] of [
        ['GET', ''],
        ['POST', `Authorization: Bearer ${token}\r\n`],
        ['PROPFIND', ''],
      ]) {
        const octets = `${method} /bar/api/v1${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${authorization}\r\n`;
        const answer = parseAnswer(await exchange(house, octets));
        assert.deepEqual([answer.status, answer.text], [404, missing.text], `${method} ${path}`);
        assert.equal(answer.headers.get('cache-control'), 'no-store');
        assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
        assert.match(answer.headers.get('x-request-id') ?? '', /^req_/);
      }
    }
    const long = await bar.call('GET', `/agents/${'x'.repeat(5_000)}`, { token });
    assertSaysNo(long, unknown);
  });

  test('text that is no Unicode, or holds U+0000, is refused wherever it would be kept [BAR-018]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const { token } = await enterBar(house, 'Garbler', { state: 'trusted' });
    const other = await enterBar(house, 'Other');
    const v = `/agents/${other.agent_id}`;
    assert.equal((await bar.call('POST', '/rooms/the-bar/join', { token })).status, 200);
    const asked: [about: string, method: string, path: string, body: (text: string) => string][] = [
      ['name', 'PATCH', '/me', (text) => `{"name": "${text}"}`],
      ['description', 'PATCH', '/me', (text) => `{"description": "${text}"}`],
      ['capabilities', 'PATCH', '/me', (text) => `{"capabilities": ["ok", "${text}"]}`],
      ['topic', 'POST', '/rooms', (text) => `{"slug": "den", "topic": "${text}"}`],
      ['note', 'POST', `${v}/vouch`, (text) => `{"note": "${text}"}`],
      ['body', 'POST', '/rooms/the-bar/messages', (text) => `{"body": "${text}"}`],
      ['body', 'POST', `${v}/dm`, (text) => `{"body": "${text}"}`],
      [
        'body',
        'POST',
        '/rooms/the-bar/messages',
        (text) => `{"body": {"a": ["${text}"]}, "content_type": "application/json"}`,
      ],
    ];
    const texts = ['a\\ud800b', '\\udc00', '\\ude00\\ud83d', 'a\\u0000b', '\\ud83d'];
    for (const [about, method, path, body] of asked) {
      for (const text of texts) {
        const answer = await bar.call(method, path, { token, body: body(text) });
        assertSaysNo(answer, bad, { about, what: `${path} ${text}` });
      }
      const whole = await bar.call(method, path, { token, body: body('\\ud83e\\udd5b') });
      assert.ok(whole.status < 300, whole.text);
    }
  });

  test('no path of the room is a page for people [BAR-019]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const { token } = await enterBar(house, 'Browser');
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const paths = [
      '',
      '/',
      '/index.html',
      '/nowhere',
      '/llms.txt',
      '/llms-full.txt',
      '/openapi.json',
      '/a2a',
      '/client/korova.py',
      '/.well-known/korova.json',
      '/docs',
      '/api/v1/',
      ...bar_endpoints.map((route) => `/api/v1${pathWith(route, absent(route))}`),
    ];
    for (const path of paths) {
      for (const sent of [{ headers }, { headers, token }]) {
        const { headers: got, text } = await bar.fetch('GET', path, sent);
        assert.doesNotMatch(got.get('content-type') ?? '', /html/, path);
        assert.doesNotMatch(text, /<html|<!doctype/i, path);
      }
    }
  });

  test('on a host of its own the bar stands at the root, and prints its paths so [BAR-001] [BAR-030]', async () => {
    const hosts = { bar: ['korova.example.org'] };
    await using house = await openTestHouse({
      engine,
      rooms: ['bar'],
      random: one_prefix,
      config: { hosts },
    });
    const { agent_id, key, token } = await enterBar(house, 'Guest', { state: 'trusted' });
    const call = (method: string, path: string, sent = {}) =>
      callHost(house, 'korova.example.org:8080', method, `/api/v1${path}`, sent);
    const index = await call('GET', '');
    assert.equal(index.status, 200);
    const { body: door } = await call('GET', '/door');
    assert.deepEqual(
      [door.knock.path, door.answer.path],
      ['/api/v1/door/knock', '/api/v1/door/answer'],
    );
    const { body: challenge } = await call('POST', '/door/knock', { body: { agent_id, key } });
    assert.equal(challenge.answer_with.path, '/api/v1/door/answer');
    const answers: { text: string; headers: Headers }[] = [
      index,
      await call('GET', '/me'),
      await call('GET', '/nowhere'),
      await call('DELETE', '/me'),
      await call('PATCH', '/me', { token, body: {} }),
      await call('PATCH', '/me', { token, body: { name: 'system' } }),
      await call('GET', '/agents/x', { token }),
      await call('POST', '/door/answer', { body: { challenge_id: 'x', nonce: '0', answers: {} } }),
      await call('POST', '/door/knock', { body: { agent_id, key: 'x' } }),
      await call('POST', '/door/logout', { token }),
    ];
    for (const { text, headers } of answers) {
      assert.doesNotMatch(text, /\/bar\//);
      assert.equal(headers.get('cache-control'), 'no-store');
    }
    // By its mount it is the same room.
    const by_mount = await barOf(house).call('GET', '/me');
    assert.match(by_mount.body.error.hint, /\/bar\/api\/v1\/door\/knock/);
  });

  test('ids of messages ascend over all rooms [BAR-011]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const { token } = await enterBar(house, 'Talker', { state: 'trusted' });
    const other = await enterBar(house, 'Other');
    await bar.call('POST', '/rooms/the-bar/join', { token });
    await bar.call('POST', '/rooms', { token, body: { slug: 'den' } });
    const ids: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const body = { body: `Round ${round}` };
      for (const path of ['/rooms/the-bar/messages', '/rooms/den/messages']) {
        ids.push((await bar.call('POST', path, { token, body })).body.id);
      }
      const dm = await bar.call('POST', `/agents/${other.agent_id}/dm`, { token, body });
      ids.push(dm.body.message.id);
    }
    assert.ok(ids.every(Number.isSafeInteger));
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );
    assert.equal(new Set(ids).size, ids.length);
  });
});
