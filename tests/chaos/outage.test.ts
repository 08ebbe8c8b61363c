import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { makeAgents } from '../support/agents.ts';
import { assertNothingLeaks, readAnswer } from '../support/answers.ts';
import { createDatabase } from '../support/postgres.ts';
import { type Server, startServer } from '../support/serve.ts';
import { book_start, practice_flags, servedBook, trusting_config } from '../support/served-book.ts';
import { drawn } from './draw.ts';

/** What each room answers while its database is away: 503 where its table has a word for that. */
type Away = readonly [status: number, code: string];
const book_away: Away = [500, 'internal-error'];
const bar_away: Away = [500, 'internal'];
const forum_away: Away = [503, 'unavailable'];
const network_away: Away = [503, 'internal'];

const asJson = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** A read and a write of every room, and what they say without a database. */
const callsOf = (passcode: string): readonly (readonly [string, RequestInit, Away])[] => {
  const caller = { 'x-inbox-passcode': passcode };
  const member = { authorization: 'Bearer nobody-has-this-token' };
  const review = { reviewer_id: 'a', subject_id: 'b', outcome: 'succeeded', rating: 5 };
  return [
    ['/guestbook/api/guestbook/head', {}, book_away],
    [
      '/bar/api/v1/rooms',
      { headers: { authorization: `Bearer ks_${randomBytes(32).toString('hex')}` } },
      bar_away,
    ],
    ['/bar/api/v1/door/knock', asJson({ handle: 'somebody' }), bar_away],
    ['/karma/reviews/1', {}, [503, 'database unavailable']],
    ['/karma/reviews', asJson(review), [503, 'database unavailable']],
    ['/forum/api/v1/policy', {}, forum_away],
    ['/forum/api/v1/posts', { headers: member }, forum_away],
    ['/forum/api/v1/challenges', asJson({}), forum_away],
    ['/net/v1/registrations', {}, network_away],
    ['/net/v1/registrations', asJson({ name: 'Too Late' }), network_away],
    ['/net/v1/net/me', { headers: caller }, network_away],
    ['/net/v1/net/messages', { headers: caller }, network_away],
    ['/net/v1/net/messages', asJson({ to: 'concierge', text: 'Hello' }, caller), network_away],
    ['/net/v1/sigil/keys/nobody', {}, network_away],
  ];
};

/** The word by which programs tell refusals of a room apart. */
function codeOf(body: unknown): unknown {
  const { error, detail } = body as { error?: string | { code: string }; detail?: string };
  return typeof error === 'object' ? error.code : (error ?? detail);
}

async function assertAllAway(server: Server, passcode: string): Promise<void> {
  for (const [path, request, [status, code]] of callsOf(passcode)) {
    const answer = await readAnswer(await fetch(server.base + path, request));
    const what = `${request.method ?? 'GET'} ${path}: ${answer.text}`;
    assert.equal(answer.status, status, what);
    assert.equal(codeOf(answer.body), code, what);
    const wait = answer.headers.get('retry-after');
    assert.equal(wait !== null, status === 503, what);
    if (path.startsWith('/net/')) {
      assert.equal((answer.body as { retry_after: number }).retry_after, Number(wait), what);
    }
    assertNothingLeaks(answer.text);
  }
}

const get = async (server: Server, path: string) => readAnswer(await fetch(server.base + path));

/** A database that can be taken away from everybody, and given back. */
async function openOutage(url: string) {
  const name = new URL(url).pathname.slice(1);
  const elsewhere = new URL(url);
  elsewhere.pathname = '/postgres';
  const client = new pg.Client(elsewhere.href);
  await client.connect();
  return {
    async begin() {
      await client.query(`alter database ${name} allow_connections false`);
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
        [name],
      );
    },
    end: () => client.query(`alter database ${name} allow_connections true`),
    [Symbol.asyncDispose]: () => client.end(),
  };
}

test('a server whose PostgreSQL goes away says so, lives on, and works again when it is back', async (t) => {
  const database = await createDatabase();
  t.after(() => database.drop());
  await using outage = await openOutage(database.url);
  await using server = await startServer({
    database_url: database.url,
    flags: practice_flags,
    config: trusting_config,
  });
  const book = servedBook(server);
  const agents = makeAgents(2 * drawn(10, 2));
  const date = await book.advance(0);
  let lines = 0;
  const signed_up = await readAnswer(
    await fetch(`${server.base}/net/v1/registrations`, asJson({ name: 'In Time' })),
  );
  assert.equal(signed_up.status, 201, signed_up.text);
  const { passcode } = signed_up.body as { passcode: string };
  for (const [path, request] of callsOf(passcode)) {
    const { status } = await fetch(server.base + path, request);
    assert.ok(status < 500, `${path} answers ${status} before anything is wrong`);
  }
  for (const [index, agent] of agents.entries()) {
    const registered = await book.register(agent, index);
    assert.equal(registered.status, 201, registered.text);
    if (index % 2 === 1) {
      await outage.begin();
      assert.equal((await get(server, '/health')).status, 200);
      assert.equal((await get(server, '/ready')).status, 503);
      for (const answer of [
        await book.get('/head'),
        await book.post(agent, { date, message: 'Lost' }),
        await get(server, '/'),
        await get(server, '/guestbook/'),
      ]) {
        assert.ok(answer.status >= 500, answer.text);
        assertNothingLeaks(answer.text);
      }
      await assertAllAway(server, passcode);
      assert.equal((await get(server, '/')).status, 503);
      await outage.end();
      while ((await get(server, '/ready')).status !== 200) await sleep(20);
    }
    const posted = await book.post(agent, { date, message: `From ${agent.name}` });
    assert.equal(posted.status, 201, posted.text);
    lines += 1;
  }
  const entries = await book.entriesAfter(book_start);
  assert.equal(entries.length, lines);
  assert.ok(entries.every((entry) => 'message' in entry && entry.message !== 'Lost'));
  await outage.begin();
  assert.deepEqual(await server.kill('SIGTERM'), { code: 0, signal: null }, server.output());
  await outage.end();
});
