import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { Client } from 'pg';
import { makeAgents } from '../support/agents.ts';
import { freePort } from '../support/free-port.ts';
import { book_api } from '../support/guestbook.ts';
import { createDatabase } from '../support/postgres.ts';
import { type Server, startServer, startServerWith } from '../support/serve.ts';
import { servedBook } from '../support/served-book.ts';

const clockStatus = async (base: string) =>
  (await fetch(`${base}/practice/clock`, { method: 'POST', body: '{}' })).status;

/** The base URL of a room of its own host, asked for by that name. */
function getAs(
  base: string,
  host: string,
  path: string,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(base + path, { headers: { host }, agent: false }, async (response) => {
      resolve({ status: response.statusCode ?? 0, body: await text(response) });
    });
    sent.on('error', reject).end();
  });
}

const logged = (server: Server) => server.stdout.filter((line) => line.startsWith('{'));

type Told = { flags: string[]; env: Record<string, string>; config: string };

/** The same settings as flags, as variables and as the file has them. */
function inEachWay(settings: Record<string, string | number | boolean>): Record<string, Told> {
  const entries = Object.entries(settings);
  const nothing: Told = { flags: [], env: {}, config: '' };
  const flags = entries.flatMap(([key, value]) => {
    const flag = `--${key.replaceAll('_', '-')}`;
    return value === true ? [flag] : [flag, String(value)];
  });
  const variables = entries.map(([key, value]) => [`STOA_${key.toUpperCase()}`, String(value)]);
  const lines = entries.map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`);
  return {
    flags: { ...nothing, flags },
    variables: { ...nothing, env: Object.fromEntries(variables) },
    'the file': { ...nothing, config: lines.join('') },
  };
}

for (const way of ['flags', 'variables', 'the file']) {
  test(`every setting that has a flag takes effect from ${way}`, async (t) => {
    const database = await createDatabase();
    t.after(() => database.drop());
    const port = await freePort();
    const told = inEachWay({
      port,
      host: '127.0.0.2',
      data: 'elsewhere',
      database_url: database.url,
      public_url: 'https://stoa.example.org',
      practice: true,
      log_level: 'error',
    })[way];
    assert.ok(told);
    await using server = await startServerWith(told.flags, told);
    assert.equal(server.base, `http://127.0.0.2:${port}`);
    await assert.rejects(fetch(`http://127.0.0.1:${port}/health`));
    assert.equal((await fetch(`${server.base}/ready`)).status, 200);
    assert.deepEqual(readdirSync(join(server.folder, 'elsewhere')), ['admin.sock', 'git']);
    assert.ok(!existsSync(server.data));
    assert.ok(server.stdout.includes('stoa: guestbook at https://stoa.example.org/guestbook'));
    const manual = await (await fetch(`${server.base}/llms.txt`)).text();
    assert.ok(manual.includes('https://stoa.example.org/guestbook/llms.txt'));
    assert.ok(!manual.includes('127.0.0.'), manual);
    assert.ok(server.stdout.some((line) => line.startsWith('stoa: PRACTICE MODE')));
    assert.equal(await clockStatus(server.base), 400, 'the body lacks its content type');
    assert.deepEqual(logged(server), []);
    await server.kill('SIGTERM');
  });
}

test('a flag goes before its variable, a variable before the file, and --config names the file', async () => {
  const [by_flag, by_variable] = [await freePort(), await freePort()];
  const config = 'port = 1\nlog_level = "silent"\ndata = "by file"\n';
  await using server = await startServerWith(['--port', String(by_flag)], {
    env: { STOA_PORT: String(by_variable), STOA_DATA: 'by variable' },
    config,
  });
  assert.equal(server.base, `http://127.0.0.1:${by_flag}`);
  assert.ok(existsSync(join(server.folder, 'by variable')));
  assert.ok(!existsSync(join(server.folder, 'by file')));

  await server.kill('SIGKILL');
  for (const [flags, env] of [
    [['--config', '../stoa.toml'], {}],
    [[], { STOA_CONFIG: '../stoa.toml' }],
  ] as const) {
    const given = ['--port', String(await freePort()), ...flags];
    const folder = join(server.folder, 'below');
    await using other = await startServerWith(given, { folder, env });
    await fetch(`${other.base}/health`);
    assert.ok(existsSync(join(folder, 'by file')));
    assert.deepEqual(logged(other), []);
  }
});

test('without practice mode there is no clock to move and no loud line', async () => {
  await using server = await startServer();
  assert.equal(await clockStatus(server.base), 404);
  assert.ok(!server.output().includes('PRACTICE'));
});

test('the keys of the file that have no flag take effect', async () => {
  const metrics_port = await freePort();
  await using server = await startServer({
    config: `trust_proxy = 2
[http]
header_timeout_ms = 300
request_timeout_ms = 500
keep_alive_timeout_ms = 400
connections_max = 20
[metrics]
port = ${metrics_port}
host = "127.0.0.3"
[hosts]
guestbook = ["book.example.org", "old.example.org"]
`,
  });
  // [hosts]
  assert.ok(
    server.stdout.includes(
      `stoa: guestbook at http://book.example.org:${new URL(server.base).port}`,
    ),
  );
  for (const host of ['book.example.org', 'OLD.example.org:80']) {
    assert.equal((await getAs(server.base, host, '/api/guestbook/head')).status, 200, host);
  }
  assert.equal((await getAs(server.base, 'x.example.org', '/api/guestbook/head')).status, 404);
  assert.equal((await getAs(server.base, 'x.example.org', `${book_api}/head`)).status, 200);
  // [metrics]
  const metrics = await fetch(`http://127.0.0.3:${metrics_port}/metrics`);
  assert.match(await metrics.text(), /^stoa_waiters 0$/m);
  // trust_proxy: the second from the right counts, so that six registrations are from six addresses.
  const statuses: number[] = [];
  for (const [index, agent] of makeAgents(6).entries()) {
    const headers = { 'x-forwarded-for': `192.0.2.1, 198.51.100.${index}, 192.0.2.9` };
    const body = JSON.stringify(agent.registration());
    const url = `${server.base}${book_api}/agents`;
    statuses.push((await fetch(url, { method: 'POST', headers, body })).status);
  }
  assert.deepEqual(statuses, Array(6).fill(201));
  const [newcomer] = makeAgents(7).slice(6);
  assert.ok(newcomer);
  assert.equal(
    (await servedBook(server).register(newcomer, 1)).status,
    201,
    'one entry: the socket',
  );
  // [http]
  const begun = `POST ${book_api}/agents HTTP/1.1\r\nHost: x\r\n`;
  const late = 'HTTP/1.1 408 ';
  assert.ok((await dialogue(server.base, begun)).startsWith(late), 'header_timeout_ms');
  const headed = `${begun}Content-Length: 9\r\n\r\n{`;
  assert.ok((await dialogue(server.base, headed)).startsWith(late), 'request_timeout_ms');
  const whole = await dialogue(server.base, 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n');
  assert.match(whole, /^HTTP\/1\.1 200 /, 'keep_alive_timeout_ms ends a connection that idles');
  const talks = Array.from({ length: 40 }, () => dialogue(server.base, begun));
  const turned_away = (await Promise.all(talks)).filter((said) => said === '');
  assert.ok(turned_away.length >= 20, `${turned_away.length}: connections_max`);
});

/** Sends octets and answers what comes back until the server ends the connection. */
async function dialogue(base: string, sent: string): Promise<string> {
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  socket.write(sent);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  await new Promise((resolve) => socket.on('error', () => {}).on('close', resolve));
  return Buffer.concat(chunks).toString();
}

test('postgres.readers_max bounds the connections that read', async (t) => {
  const database = await createDatabase();
  t.after(() => database.drop());
  await using server = await startServer({
    database_url: database.url,
    config: '[postgres]\nreaders_max = 2\n',
  });
  const reads = Array.from({ length: 40 }, () => fetch(`${server.base}${book_api}/entries`));
  for (const { status } of await Promise.all(reads)) assert.equal(status, 200);
  const client = new Client(database.url);
  await client.connect();
  const { rows } = await client.query(
    "select 1 from pg_stat_activity where application_name = 'stoa reader' and datname = current_database()",
  );
  await client.end();
  // A second one is opened only while the first is busy.
  assert.ok(rows.length === 1 || rows.length === 2, String(rows.length));
});

test('a room that is switched off is not there, and its data stays', async () => {
  await using server = await startServer();
  const [agent] = makeAgents(1);
  assert.ok(agent);
  assert.equal((await servedBook(server).register(agent, 0)).status, 201);
  await server.kill('SIGTERM');
  {
    await using without = await startServer({
      folder: server.folder,
      config: '[rooms]\nguestbook = false\n',
    });
    assert.ok(!without.output().includes('guestbook'));
    assert.equal((await fetch(`${without.base}${book_api}/head`)).status, 404);
    const front = await (await fetch(`${without.base}/`)).text();
    assert.ok(!front.includes('/guestbook'));
  }
  await using again = await startServer({ folder: server.folder, config: '' });
  assert.equal((await servedBook(again).register(agent, 0)).status, 409);
});
