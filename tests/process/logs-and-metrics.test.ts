import assert from 'node:assert/strict';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { sendCommand } from '../../packages/cli/src/send-command.ts';
import { makeAgents } from '../support/agents.ts';
import { forEachEngine } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { book_api } from '../support/guestbook.ts';
import { createDatabase } from '../support/postgres.ts';
import { type Server, startServer } from '../support/serve.ts';
import { practice_flags, servedBook } from '../support/served-book.ts';

type LogLine = Record<string, unknown>;

/** The lines of a server that are not its own few words; each is JSON with a level and a time. */
function logLines(server: Server): LogLine[] {
  return server.stdout
    .filter((line) => !line.startsWith('stoa: '))
    .map((line) => {
      const logged: LogLine = JSON.parse(line);
      assert.equal(typeof logged.level, 'number', line);
      assert.ok(Math.abs(Number(logged.time) - Date.now()) < 600_000, line);
      return logged;
    });
}

function socketGet(server: Server, path: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath: join(server.data, 'admin.sock'), path }, async (answer) =>
      resolve({ status: answer.statusCode ?? 0, body: await text(answer) }),
    );
    sent.on('error', reject).end();
  });
}

forEachEngine((engine) => {
  test('logs are JSON lines with the request id of the answer, and hold no secret and no query', async (t) => {
    const database = engine === 'postgres' ? await createDatabase() : undefined;
    t.after(() => database?.drop());
    await using server = await startServer({
      flags: ['--practice', '--log-level', 'trace'],
      ...(database ? { database_url: database.url } : {}),
    });
    const [agent] = makeAgents(1);
    assert.ok(agent);
    const secret = 'hunter2';
    const asked = [
      [`${book_api}/head?token=${secret}`, {}],
      [`${book_api}/entries?after=${secret}`, {}],
      [`/nowhere/${secret}?key=${secret}`, {}],
      [
        '/guestbook/',
        { headers: { authorization: `Bearer ${secret}`, cookie: `session=${secret}` } },
      ],
      [`${book_api}/agents`, { method: 'POST', body: `{"name":"${secret}` }],
      [
        `${book_api}/agents`,
        { method: 'POST', body: JSON.stringify({ ...agent.registration(), signature: secret }) },
      ],
      [`${book_api}/agents`, { method: 'POST', body: JSON.stringify(agent.registration()) }],
    ] as const;
    const ids: string[] = [];
    for (const [path, init] of asked) {
      const answer = await fetch(server.base + path, init);
      const id = answer.headers.get('x-request-id');
      assert.match(id ?? '', /^req_[\w-]{9,}$/, path);
      ids.push(id ?? '');
    }
    assert.equal(new Set(ids).size, ids.length);
    // No URL at all, so that no room answers for it and logs it.
    assert.equal((await fetch(`${server.base}/%zz${secret}`)).status, 400);
    await sendCommand({
      socket: join(server.data, 'admin.sock'),
      path: '/guestbook/suspend',
      given: {},
    });
    await server.kill('SIGTERM');

    const logged = logLines(server);
    assert.equal(logged.find(({ msg }) => msg === 'listening')?.listening, server.base);
    const requests = logged.filter(({ msg }) => msg === 'request');
    assert.deepEqual(
      ids.filter((id) => !requests.some(({ request_id }) => request_id === id)),
      [],
      'each request has its line',
    );
    for (const { method, route, status, ms } of requests) {
      assert.match(String(method), /^(GET|POST)$/);
      assert.doesNotMatch(String(route), /\?/);
      assert.ok(Number(status) >= 200 && Number(status) < 500);
      assert.ok(Number(ms) >= 0);
    }
    assert.ok(logged.some(({ command }) => command === 'guestbook suspend'));
    const output = server.output();
    assert.ok(
      !output.includes(secret),
      output.split('\n').find((line) => line.includes(secret)),
    );
    assert.ok(!output.includes(agent.registration().signature));
    if (database) assert.ok(!output.includes(new URL(database.url).password));
  });
});

test('metrics count what happens, on the admin socket and on no port unless one is set', async () => {
  await using server = await startServer({ flags: practice_flags });
  const [agent] = makeAgents(1);
  assert.ok(agent);
  const book = servedBook(server);
  for (let n = 0; n < 3; n += 1) await book.get('/head');
  assert.equal((await book.register(agent, 0)).status, 201);
  assert.equal((await book.register(agent, 0)).status, 409);
  assert.equal((await fetch(`${server.base}/metrics`)).status, 404);
  const { status, body } = await socketGet(server, '/metrics');
  assert.equal(status, 200);
  const count = (room: string, route: string, code: number) => {
    const labels = `{room="${room}",route="${route}",status="${code}"}`;
    const line = body
      .split('\n')
      .find((each) => each.startsWith(`stoa_http_request_seconds_count${labels}`));
    return Number(line?.split(' ').at(-1));
  };
  assert.equal(count('guestbook', `${book_api}/head`, 200), 3);
  assert.equal(count('guestbook', `${book_api}/agents`, 201), 1);
  assert.equal(count('guestbook', `${book_api}/agents`, 409), 1);
  assert.match(body, /^process_resident_memory_bytes \d+$/m);
  assert.match(body, /^stoa_waiters 0$/m);
});

test('a metrics port serves the metrics and nothing else', async () => {
  const port = await freePort();
  await using server = await startServer({ config: `[metrics]\nport = ${port}\n` });
  const metrics = await fetch(`http://127.0.0.1:${port}/metrics`);
  assert.match(metrics.headers.get('content-type') ?? '', /^text\/plain/);
  assert.match(await metrics.text(), /^# HELP stoa_http_request_seconds /m);
  for (const path of ['/', '/guestbook/', '/house/status', `${book_api}/head`]) {
    const method = path === '/house/status' ? 'POST' : 'GET';
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method });
    assert.equal(answer.status, 404, path);
  }
  assert.deepEqual(await server.kill('SIGTERM'), { code: 0, signal: null });
});

test('no operator’s order is taken on the main port', async () => {
  await using server = await startServer();
  for (const path of ['/house/status', '/guestbook/suspend', '/guestbook/hide', '/metrics']) {
    for (const method of ['GET', 'POST']) {
      const body = method === 'POST' ? { body: '{"seq":1}' } : {};
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(server.base + path, { method, headers, ...body });
      assert.equal(answer.status, 404, `${method} ${path}`);
    }
  }
});
