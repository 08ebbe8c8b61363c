import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { pino } from 'pino';
import { forEachEngine } from '../support/engines.ts';
import { behind_proxy, book_api, bookOf } from '../support/guestbook.ts';
import { openTestHouse } from '../support/open-house.ts';
import { exchange, openConnection, parseAnswer, readToEnd } from '../support/raw-http.ts';

// Each was found by somebody who attacked the running house; each stays as a case.
test('a body far beyond the bound is refused with words, not with a broken pipe [BOOK-139]', async () => {
  await using house = await openTestHouse({ engine: 'sqlite' });
  const body = 'x'.repeat(5_000_000);
  for (let round = 0; round < 20; round += 1) {
    const answer = await house.fetch(`${book_api}/entries`, { method: 'POST', body });
    assert.equal(answer.status, 400);
    assert.match(await answer.text(), /body is too large/);
  }
});

test('an expectation that nobody knows is passed over, and a missing host is refused in words [BOOK-136]', async () => {
  await using house = await openTestHouse({ engine: 'sqlite' });
  const expected = await exchange(
    house,
    `GET ${book_api}/head HTTP/1.1\r\nHost: x\r\nExpect: foo\r\nConnection: close\r\n\r\n`,
  );
  assert.equal(parseAnswer(expected).status, 200);
  const hostless = await exchange(
    house,
    `GET ${book_api}/head HTTP/1.1\r\nConnection: close\r\n\r\n`,
  );
  const { status, body } = parseAnswer(hostless);
  assert.equal(status, 400);
  assert.deepEqual(body, {
    error: { code: 'invalid-request', message: 'host header is missing; send one' },
  });
});

test('a connection on which nothing was said is closed without a word', async () => {
  await using house = await openTestHouse({
    engine: 'sqlite',
    config: {
      http: {
        header_timeout_ms: 200,
        request_timeout_ms: 200,
        keep_alive_timeout_ms: 1_000,
        connections_max: 100,
      },
    },
  });
  assert.equal(await readToEnd(openConnection(house)), '');
});

test('a body that breaks off is the doing of its client, and is logged as no fault of ours', async () => {
  const faults: unknown[] = [];
  await using house = await openTestHouse({
    engine: 'sqlite',
    logger: pino({ level: 'error' }, { write: (line) => void faults.push(line) }),
  });
  for (let round = 0; round < 10; round += 1) {
    const socket = openConnection(house);
    socket.write(`POST ${book_api}/agents HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{}`);
    await once(socket, 'connect');
    socket.destroy();
  }
  // A later request is answered after what came before it.
  await house.fetch('/health');
  await house.close();
  assert.deepEqual(faults, []);
});

forEachEngine((engine) => {
  test('instants never go back along the chain, whoever waits for whom [BOOK-043] [BOOK-091]', async () => {
    await using house = await openTestHouse({ engine, config: behind_proxy });
    const houses =
      engine === 'postgres' ? [house, await openTestHouse({ engine, beside: house })] : [house];
    const books = houses.map((each) => bookOf(each));
    const agents = await bookOf(house).join(60);
    house.clock.resume();
    const answers = await Promise.all(
      agents.map((agent, index) => books[index % books.length]?.write(agent)),
    );
    assert.deepEqual(new Set(answers.map((answer) => answer?.status)), new Set([201]));
    const instants = (await bookOf(house).visible()).map(({ postedUtc }) => postedUtc);
    assert.equal(instants.length, 60);
    assert.deepEqual(instants, instants.toSorted());
    for (const other of houses.slice(1)) await other.close();
  });
});

test('a page of another site posts in nobody’s name, with or without a content type', async () => {
  await using house = await openTestHouse({ engine: 'sqlite' });
  const body = '{"reviewer_id":"v","subject_id":"w","rating":1,"outcome":"failed"}';
  const { host } = new URL(house.house.listening);
  const post = (headers: string) =>
    exchange(
      house,
      `POST /karma/reviews HTTP/1.1\r\nHost: ${host}\r\n${headers}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
  assert.equal(parseAnswer(await post('Sec-Fetch-Site: cross-site\r\n')).status, 422);
  assert.equal(parseAnswer(await post('')).status, 201);
});

test('an agent id longer than any is unknown like others, not a path that is not there [KARMA-107]', async () => {
  await using house = await openTestHouse({ engine: 'sqlite' });
  const id = 'x'.repeat(2_000);
  const badge = await house.fetch(`/karma/agents/${id}/badge.svg`);
  assert.equal(badge.status, 200);
  assert.match(badge.headers.get('content-type') ?? '', /^image\/svg\+xml/);
});
