import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { makeAgents } from '../support/agents.ts';
import { assertNothingLeaks, readAnswer } from '../support/answers.ts';
import { createDatabase } from '../support/postgres.ts';
import { type Server, startServer } from '../support/serve.ts';
import { book_start, practice_flags, servedBook, trusting_config } from '../support/served-book.ts';
import { drawn } from './draw.ts';

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
      const away = await get(server, '/forum/api/v1/policy');
      assert.equal(away.status, 503, away.text);
      assert.equal((away.body as { error: { code: string } }).error.code, 'unavailable');
      assert.match(away.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
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
