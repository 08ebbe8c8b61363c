import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '../../packages/server/src/storage/storage.ts';
import { makeAgents, type TestAgent } from '../support/agents.ts';
import { forEachEngine } from '../support/engines.ts';
import { book_api } from '../support/guestbook.ts';
import { createDatabase } from '../support/postgres.ts';
import { type Server, startServer } from '../support/serve.ts';
import { book_start, practice_flags, servedBook, trusting_config } from '../support/served-book.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const port = (server: Server) => Number(new URL(server.base).port);

/** A server that can be started again on the same data. */
async function openable(t: TestContext, engine: Engine) {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const database = engine === 'postgres' ? await createDatabase() : undefined;
  t.after(() => database?.drop());
  return (config = trusting_config) =>
    startServer({
      folder: folder.path,
      config,
      flags: practice_flags,
      ...(database ? { database_url: database.url } : {}),
    });
}

async function register(server: Server, count: number): Promise<TestAgent[]> {
  const agents = makeAgents(count);
  const book = servedBook(server);
  const answers = await Promise.all(agents.map((agent, index) => book.register(agent, index)));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
  return agents;
}

/** A POST whose head the server has read, and half of whose body it has. */
async function halfSent(server: Server, path: string, sent: object, agent: Agent) {
  const body = Buffer.from(JSON.stringify(sent));
  const half = request(server.base + path, {
    method: 'POST',
    agent,
    headers: { 'content-length': body.length, expect: '100-continue' },
  });
  half.flushHeaders();
  await once(half, 'continue');
  half.write(body.subarray(0, body.length / 2));
  const answer = new Promise<{ status: number; text: string }>((resolve, reject) => {
    half.on('error', reject);
    half.on('response', async (response) => {
      resolve({ status: response.statusCode ?? 0, text: await text(response) });
    });
  });
  answer.catch(() => {});
  return {
    finish() {
      half.end(body.subarray(body.length / 2));
      return answer;
    },
  };
}

function isRefused(server: Server): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(port(server), '127.0.0.1', () => {
      probe.destroy();
      resolve(false);
    });
    probe.on('error', () => resolve(true));
  });
}

const said = (server: Server, line: string) =>
  new Promise<void>((resolve) => server.onLine((each) => each === line && resolve()));

forEachEngine((engine) => {
  // Both signals go the same way; one of them is enough on the slower engine.
  for (const signal of engine === 'sqlite'
    ? (['SIGTERM', 'SIGINT'] as const)
    : (['SIGTERM'] as const)) {
    test(`${signal} lets requests that have begun end, refuses new ones, and ends with 0`, async (t) => {
      const open = await openable(t, engine);
      await using server = await open();
      const agents = await register(server, 20);
      const date = await servedBook(server).advance(0);
      const kept = new Agent({ keepAlive: true });
      t.after(() => kept.destroy());
      const path = `${book_api}/entries`;
      const posts = await Promise.all(
        agents.map((agent) =>
          halfSent(server, path, agent.post({ date, message: `From ${agent.name}` }), kept),
        ),
      );
      const ended = server.kill(signal);
      await said(server, 'stoa: closing');
      while (!(await isRefused(server))) await sleep(5);
      // A second signal hurries nobody.
      void server.kill(signal);
      const answers = await Promise.all(posts.map((post) => post.finish()));
      assert.deepEqual(
        answers.map(({ status }) => status),
        agents.map(() => 201),
        answers.map((answer) => answer.text).join('\n'),
      );
      const answered_at = performance.now();
      assert.deepEqual(await ended, { code: 0, signal: null }, server.output());
      // Nobody waits for clients that keep their connections open.
      assert.ok(performance.now() - answered_at < 20_000);
      assert.deepEqual(server.stderr, []);

      await using again = await open();
      const entries = await servedBook(again).entriesAfter(book_start);
      assert.deepEqual(
        entries.map(({ seq, entryHash }) => ({ seq, entryHash })),
        answers
          .map((answer) => JSON.parse(answer.text))
          .map(({ seq, entryHash }) => ({ seq, entryHash }))
          .sort((a, b) => a.seq - b.seq),
      );
    });
  }

  test('SIGTERM amid a rush of posts stores exactly what was answered with 201', async (t) => {
    const open = await openable(t, engine);
    await using server = await open();
    const agents = await register(server, 60);
    const date = await servedBook(server).advance(0);
    const book = servedBook(server);
    const posts = agents.map((agent, index) =>
      sleep(index).then(() => book.post(agent, { date, message: `From ${agent.name}` })),
    );
    await sleep(30);
    const [exit, ...outcomes] = await Promise.all([
      server.kill('SIGTERM'),
      ...posts.map((post) => post.catch(() => undefined)),
    ]);
    assert.deepEqual(exit, { code: 0, signal: null }, server.output());
    const stored = outcomes.filter((outcome) => outcome?.status === 201);
    await using again = await open();
    const entries = await servedBook(again).entriesAfter(book_start);
    assert.equal(entries.length, stored.length);
    t.diagnostic(`${stored.length} of 60 were in time`);
  });
});

test('clients that send nothing, or stop half-way, do not keep a server from ending', async (t) => {
  const open = await openable(t, 'sqlite');
  await using server = await open('[http]\nrequest_timeout_ms = 1000\nheader_timeout_ms = 500\n');
  const kept = new Agent({ keepAlive: true });
  t.after(() => kept.destroy());
  await halfSent(server, `${book_api}/agents`, { name: 'x' }, kept);
  const idle = connect(port(server), '127.0.0.1');
  await once(idle, 'connect');
  const headless = connect(port(server), '127.0.0.1');
  headless.write('GET / HTTP/1.1\r\nHost');
  for (const socket of [idle, headless]) socket.on('error', () => {});
  const begun_at = performance.now();
  assert.deepEqual(await server.kill('SIGTERM'), { code: 0, signal: null });
  assert.ok(performance.now() - begun_at < 20_000);
  for (const socket of [idle, headless]) socket.destroy();
});
