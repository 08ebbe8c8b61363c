import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sendCommand } from '../../packages/cli/src/send-command.ts';
import { makeAgents, type TestAgent } from '../support/agents.ts';
import { createDatabase } from '../support/postgres.ts';
import { type Server, startServer } from '../support/serve.ts';
import {
  book_start,
  practice_flags,
  type ServedBook,
  servedBook,
  trusting_config,
} from '../support/served-book.ts';

/** Two real processes of one house, each with its own port and admin socket. */
async function openTwo(t: TestContext) {
  const database = await createDatabase();
  const kept = new AsyncDisposableStack();
  t.after(async () => {
    await kept.disposeAsync();
    await database.drop();
  });
  const open = async () =>
    kept.use(
      await startServer({
        database_url: database.url,
        flags: practice_flags,
        config: trusting_config,
      }),
    );
  // At once, so that both find the empty database and migrate it.
  const servers = await Promise.all([open(), open()]);
  return { open, servers, books: servers.map(servedBook) as [ServedBook, ServedBook] };
}

type Line = { date: string; message: string };

const order = (server: Server, verb: string, given = {}) =>
  sendCommand({ socket: join(server.data, 'admin.sock'), path: `/guestbook/${verb}`, given });

/** Today, by both clocks. */
async function today(books: readonly ServedBook[]): Promise<string> {
  const [date, ...others] = await Promise.all(books.map((book) => book.advance(0)));
  for (const other of others) assert.equal(other, date);
  return date ?? '';
}

/** Registers agents, each through one of the two in turn. */
async function register(books: readonly ServedBook[], count: number): Promise<TestAgent[]> {
  const agents = makeAgents(count);
  const answers = await Promise.all(
    agents.map((agent, index) => inTurn(books, index).register(agent, index)),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
  return agents;
}

function inTurn(books: readonly ServedBook[], index: number): ServedBook {
  const book = books[index % books.length];
  assert.ok(book);
  return book;
}

test('64 posts sent at once to two processes of one house make one linear chain [BOOK-091]', async (t) => {
  const { books } = await openTwo(t);
  const agents = await register(books, 64);
  const date = await today(books);
  const answers = await Promise.all(
    agents.map((agent, index) =>
      inTurn(books, index).post(agent, { date, message: `From ${agent.name}` }),
    ),
  );
  const posted = answers.map(({ status, text, body }) => {
    assert.equal(status, 201, text);
    return body as { seq: number; prevHash: string; entryHash: string };
  });
  assert.equal(new Set(posted.map(({ prevHash }) => prevHash)).size, 64);
  const [seen_here, seen_there] = await Promise.all(
    books.map((book) => book.entriesAfter(book_start)),
  );
  assert.deepEqual(seen_here, seen_there);
  assert.deepEqual(
    seen_here?.map(({ seq, entryHash }) => ({ seq, entryHash })),
    posted.map(({ seq, entryHash }) => ({ seq, entryHash })).sort((a, b) => a.seq - b.seq),
  );
});

test('an agent that posts through both processes at once posts once', async (t) => {
  const { books } = await openTwo(t);
  const [agent] = await register(books, 1);
  const date = await today(books);
  assert.ok(agent);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      inTurn(books, index).post(agent, { date, message: `Line ${index}` }),
    ),
  );
  const counts = Object.groupBy(answers, ({ status }) => status);
  assert.deepEqual([counts[201]?.length, counts[409]?.length], [1, 19]);
  assert.equal((await books[0].entriesAfter(book_start)).length, 1);
});

test('the registration cap of an address counts over both processes [BOOK-105]', async (t) => {
  const { books } = await openTwo(t);
  const answers = await Promise.all(
    makeAgents(16).map((agent, index) => inTurn(books, index).register(agent, 7)),
  );
  const counts = Object.groupBy(answers, ({ status }) => status);
  assert.deepEqual([counts[201]?.length, counts[429]?.length], [5, 11]);
});

test('what is hidden through one process is hidden in both, and after a restart of both [BOOK-123]', async (t) => {
  const { open, servers, books } = await openTwo(t);
  const agents = await register(books, 2);
  const date = await today(books);
  for (const [index, agent] of agents.entries()) {
    const line: Line = { date, message: `From ${agent.name}` };
    assert.equal((await inTurn(books, index).post(agent, line)).status, 201);
  }
  const whole = await books[0].entriesAfter(book_start);
  const [first, second] = whole;
  assert.ok(first && second);
  await order(servers[0], 'hide', { seq: 1 });
  const { seq, prevHash, entryHash } = first;
  const hidden = [{ seq, prevHash, entryHash, hidden: true }, second];
  for (const book of books) assert.deepEqual(await book.entriesAfter(book_start), hidden);

  await Promise.all(servers.map((server) => server.kill('SIGKILL')));
  const again = await Promise.all([open(), open()]);
  for (const server of again) {
    assert.deepEqual(await servedBook(server).entriesAfter(book_start), hidden);
  }
  await order(again[1], 'unhide', { seq: 1 });
  for (const server of again) {
    assert.deepEqual(await servedBook(server).entriesAfter(book_start), whole);
  }
});

test('writes suspended through one process are suspended in both, and after a restart, until one resumes them [BOOK-126]', async (t) => {
  const { open, servers, books } = await openTwo(t);
  const agents = await register(books, 2);
  const date = await today(books);
  const post = (book: ServedBook, agent: TestAgent | undefined) => {
    assert.ok(agent);
    return book.post(agent, { date, message: `From ${agent.name}` });
  };
  assert.equal((await post(books[0], agents[0])).status, 201);
  await order(servers[0], 'suspend');
  for (const book of books) {
    const refused = await post(book, agents[1]);
    assert.equal(refused.status, 503, refused.text);
  }
  await Promise.all(servers.map((server) => server.kill('SIGTERM')));
  const again = await Promise.all([open(), open()]);
  const books_again = again.map(servedBook);
  for (const book of books_again) {
    await book.advance(0);
    assert.equal((await post(book, agents[1])).status, 503);
    assert.equal((await book.get('/head')).status, 200);
  }
  await order(again[1], 'resume');
  assert.equal((await post(inTurn(books_again, 0), agents[1])).status, 201);
  const entries = await inTurn(books_again, 1).entriesAfter(book_start);
  assert.deepEqual(
    entries.map(({ seq }) => seq),
    [1, 2],
  );
});
