import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VisibleEntry } from '@stoa/proof/guestbook';
import ledger from '../../../protocol/guestbook/vectors/ledger.json' with { type: 'json' };
import { makeAgent, makeAgents } from '../../support/agents.ts';
import { assertAnswered, assertRefused, countOutcomes, readAnswer } from '../../support/answers.ts';
import { forEachEngine } from '../../support/engines.ts';
import {
  assertHolds,
  assertVerifies,
  behind_proxy,
  book_api,
  bookOf,
  entriesOf,
} from '../../support/guestbook.ts';
import { openTestHouse, type TestHouse } from '../../support/open-house.ts';

const day_ms = 86_400_000;

/** What stays of an entry when it is hidden. */
function hiddenOf({ seq, prevHash, entryHash }: VisibleEntry) {
  return { seq, prevHash, entryHash, hidden: true };
}

const { steps } = ledger.scenario;

/** Plays the vectors' scenario: four lines by three agents over midnight. */
async function playScenario(house: TestHouse): Promise<void> {
  for (const { now, request, body, status } of steps) {
    if (!body) continue;
    house.clock.advanceTo(Date.parse(now));
    const [, path = ''] = request.split(' ');
    const sent = { method: 'POST', body: JSON.stringify(body) };
    const answer = await readAnswer(await house.fetch(`/guestbook${path}`, sent));
    assert.equal(answer.status, status);
  }
}

/** Every path that a stranger may read, found by following what the house itself prints. */
async function readEverything(house: TestHouse): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const waiting = [
    '/',
    '/llms.txt',
    '/openapi.json',
    '/health',
    '/ready',
    '/.well-known/agent-card.json',
    '/guestbook',
    '/guestbook/',
    '/guestbook/llms.txt',
    '/guestbook/openapi.json',
    '/guestbook/scripts/verify-guestbook.mjs',
    `${book_api}/head`,
    `${book_api}/entries`,
    `${book_api}/entries?limit=500`,
    ...[0, 1, 2, 3, 4].map((after) => `${book_api}/entries?after=${after}&limit=1`),
    ...[1, 2, 3, 4, 5].map((before) => `/guestbook/?before=${before}`),
  ];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (texts.has(path)) continue;
    const page_url = new URL(path, house.house.listening);
    const response = await house.fetch(path, { headers: { accept: 'text/html, */*' } });
    const text = await response.text();
    // The time of day of this run, in the header, may be that of the hidden entry.
    const headers = JSON.stringify([...response.headers].filter(([name]) => name !== 'date'));
    texts.set(path, `${headers}\n${text}`);
    if (!response.headers.get('content-type')?.startsWith('text/html')) continue;
    for (const [, link = ''] of text.matchAll(/(?:href|src)="([^"]*)"/g)) {
      const url = new URL(link, page_url);
      if (url.origin === page_url.origin) waiting.push(url.pathname + url.search);
    }
  }
  return texts;
}

forEachEngine((engine) => {
  test('hiding leaves of an entry its place alone, and moves nothing else: the vectors, the next post, a restart [BOOK-117] [BOOK-119] [BOOK-120] [BOOK-123]', async () => {
    await using house = await openTestHouse({
      engine,
      rooms: ['guestbook'],
      start: Date.parse(steps[0]?.now ?? ''),
    });
    await playScenario(house);
    const book = bookOf(house);
    const said = await house.command('guestbook', 'hide', { seq: 2 });
    assert.match(said, /2/);
    assertAnswered(await book.entries(), 200, { entries: ledger.hidden.entries });
    assertAnswered(await book.head(), 200, ledger.hidden.head);
    assertAnswered(await book.entries('?after=1&limit=1'), 200, {
      entries: [ledger.hidden.entries[1]],
    });
    assertVerifies(await book.record());

    // The last and the first as well: the next post chains to what is hidden.
    await house.command('guestbook', 'hide', { seq: 4 });
    await house.command('guestbook', 'hide', { seq: 1 });
    await house.command('guestbook', 'hide', { seq: 1 });
    const [one, two, three, four] = ledger.chain.entries;
    assert.ok(one && two && three && four);
    const withheld = [hiddenOf(one), hiddenOf(two), three, hiddenOf(four)];
    const assertWithheld = async () => {
      assertAnswered(await book.entries('?limit=4'), 200, { entries: withheld });
      assertVerifies(await book.record());
    };
    await assertWithheld();
    assertAnswered(await book.head(), 200, ledger.hidden.head);
    const next = makeAgent('comes after');
    await book.register(next.registration());
    const answer = await book.write(next);
    const { seq, prevHash } = answer.body as VisibleEntry;
    assert.deepEqual({ seq, prevHash }, { seq: 5, prevHash: four.entryHash });
    await house.restart();
    await assertWithheld();
    await assertHolds(house, { lines: 5, agents: 4 });

    // Shown again, each is what it was, byte for byte.
    for (const seq of [1, 2, 4, 4]) await house.command('guestbook', 'unhide', { seq });
    assertAnswered(await book.entries('?limit=4'), 200, { entries: ledger.chain.entries });
    await book.visible();
  });

  test('nothing of a hidden entry is in any answer or page but its seq and hashes [BOOK-118]', async () => {
    await using house = await openTestHouse({
      engine,
      rooms: ['guestbook'],
      // Other rooms tell since when they are open.
      start: Date.parse('2026-03-01T00:00:00.000Z'),
    });
    house.clock.advanceTo(Date.parse('2026-03-04T05:06:07.089Z'));
    const book = bookOf(house);
    const withheld = makeAgent('withheld', 'Zebra Quokka');
    await book.register(withheld.registration());
    const message = 'Xylophone & "marmalade" at dusk';
    const sent = withheld.post({ date: book.today(), message });
    assert.equal((await book.post(sent)).status, 201);
    const [entry = assert.fail()] = await book.visible();
    house.clock.advanceTo(Date.parse('2026-09-07T12:00:00.000Z'));
    const other = makeAgent('other', 'Other');
    await book.register(other.registration());
    await book.write(other, 'Another line');

    const secrets = [
      'Xylophone',
      'marmalade',
      'Zebra',
      entry.agent,
      entry.agent.slice(0, 8),
      entry.publicKey,
      entry.sig,
      '2026-03-04',
      '05:06',
    ];
    const found = (texts: Map<string, string>) =>
      secrets.filter((secret) => [...texts.values()].some((text) => text.includes(secret)));
    // Otherwise the search below would prove nothing.
    assert.deepEqual(found(await readEverything(house)), secrets);
    await house.command('guestbook', 'hide', { seq: 1 });
    const texts = await readEverything(house);
    assert.deepEqual(found(texts), []);
    assert.ok((texts.get('/guestbook/') ?? '').includes(entry.entryHash));
    assert.match(texts.get('/guestbook/') ?? '', /withholds|withheld/);

    // What the author is told holds nothing of it either.
    house.clock.advance(1);
    for (const answer of [
      await book.post(sent),
      await book.register(withheld.registration('Another Name')),
      await book.post({ ...sent, date: book.today() }),
    ]) {
      assert.ok(answer.status >= 400);
      for (const secret of secrets) assert.ok(!answer.text.includes(secret), answer.text);
    }
  });

  test('a hidden entry still is its agent’s line of the day and one of the hundred; the agent posts the next day [BOOK-121] [BOOK-122]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'], config: behind_proxy });
    const book = bookOf(house);
    const agents = await book.join(101);
    const [first = assert.fail()] = agents;
    const late = agents[100] ?? assert.fail();
    const answers = await Promise.all(agents.slice(0, 100).map((agent) => book.write(agent)));
    assert.deepEqual(countOutcomes(answers), { 201: 100 });
    for (let seq = 1; seq <= 100; seq += 1) await house.command('guestbook', 'hide', { seq });
    const { entries } = await book.record();
    assert.ok(entries.every((entry) => 'hidden' in entry));
    assertRefused(await book.write(first, 'Once more'), [409, 'already-posted-today']);
    assertRefused(await book.write(late), [429, 'daily-cap']);
    house.clock.advance(day_ms);
    for (const agent of [first, late]) assert.equal((await book.write(agent)).status, 201);
    const record = await book.record();
    assert.equal(record.entries.filter((entry) => 'hidden' in entry).length, 100);
    assertVerifies(record);
  });

  test('hiding what is not there is an error of the command and changes nothing [BOOK-117]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
    const book = bookOf(house);
    const agent = makeAgent('stays');
    await book.register(agent.registration());
    await book.write(agent);
    const before = (await book.entries()).text;
    for (const seq of [2, 0, -1, 1.5, '1', null, Number.MAX_SAFE_INTEGER]) {
      await assert.rejects(house.command('guestbook', 'hide', { seq }), String(seq));
      await assert.rejects(house.command('guestbook', 'unhide', { seq }), String(seq));
    }
    await assert.rejects(house.command('guestbook', 'hide'));
    assert.equal((await book.entries()).text, before);
  });

  test('while writing is suspended both POSTs are 503 whatever the body, reads go on, also over a restart; then the chain goes on [BOOK-124] [BOOK-125] [BOOK-126]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
    await using beside =
      engine === 'postgres'
        ? await openTestHouse({ engine, rooms: ['guestbook'], beside: house })
        : undefined;
    const book = bookOf(house);
    const elsewhere = bookOf(beside ?? house);
    const [first = assert.fail(), second = assert.fail()] = makeAgents(2);
    for (const agent of [first, second]) await book.register(agent.registration());
    await book.write(first);
    const read = async () => [
      (await book.entries()).text,
      (await elsewhere.head()).text,
      (await house.fetch('/guestbook/')).status,
    ];
    const before = await read();
    const bodies = [
      second.post({ date: book.today(), message: 'A line' }),
      makeAgent('third').registration(),
      '',
      'no JSON',
      '[]',
      Uint8Array.of(0xff),
      'x'.repeat(20_000),
    ];
    const assertSuspended = async () => {
      for (const body of bodies) {
        for (const { register, post } of [book, elsewhere]) {
          for (const send of [register, post]) {
            assertRefused(await send(body), [503, 'writes-disabled']);
          }
        }
      }
      assert.deepEqual(await read(), before);
    };
    await house.command('guestbook', 'suspend');
    await assertSuspended();
    await house.command('guestbook', 'suspend');
    await house.restart();
    await assertSuspended();
    await house.command('guestbook', 'resume');
    await house.command('guestbook', 'resume');
    assert.equal((await elsewhere.write(second)).status, 201);
    assert.equal((await book.register(makeAgent('third').registration())).status, 201);
    assert.deepEqual(
      (await book.visible()).map(({ seq }) => seq),
      [1, 2],
    );
  });

  test('no route on the TCP port hides, shows, suspends or resumes [BOOK-127] [BOOK-010]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
    const book = bookOf(house);
    const agent = makeAgent('stays');
    await book.register(agent.registration());
    await book.write(agent);
    const verbs = ['hide', 'unhide', 'suspend', 'resume'];
    const paths = verbs.flatMap((verb) => [
      `/guestbook/${verb}`,
      `/guestbook/guestbook/${verb}`,
      `/guestbook/api/guestbook/${verb}`,
      `/guestbook/admin/${verb}`,
      `/admin/guestbook/${verb}`,
      `/${verb}`,
      `${book_api}/entries/1/${verb}`,
    ]);
    for (const path of [...paths, '/house/status', '/house/backup', '/admin', '/metrics']) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const body = method === 'GET' ? null : '{"seq":1}';
        const headers = { 'content-type': 'application/json' };
        const answer = await readAnswer(await house.fetch(path, { method, body, headers }));
        assertRefused(answer, [404, 'not-found'], { what: `${method} ${path}` });
      }
    }
    const { paths: documented } = (await readAnswer(await house.fetch('/guestbook/openapi.json')))
      .body as { paths: Record<string, object> };
    const routes = Object.entries(documented).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    assert.deepEqual(routes.sort(), [
      'get /api/guestbook/entries',
      'get /api/guestbook/head',
      'post /api/guestbook/agents',
      'post /api/guestbook/entries',
    ]);
    assert.equal(entriesOf(await book.entries()).length, 1);
    assert.equal((await book.register(makeAgent('writes on').registration())).status, 201);
  });
});
