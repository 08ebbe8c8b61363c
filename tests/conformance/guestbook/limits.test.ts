import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAgent, makeAgents, type TestAgent } from '../../support/agents.ts';
import { type Answer, assertRefused, countOutcomes } from '../../support/answers.ts';
import { forEachEngine } from '../../support/engines.ts';
import {
  type Book,
  behind_proxy,
  book_api,
  bookOf,
  type Headers,
} from '../../support/guestbook.ts';
import { openTestHouse } from '../../support/open-house.ts';
import { requestWith } from '../../support/raw-http.ts';

const bad = [400, 'invalid-request'] as const;
const capped = [429, 'registration-cap'] as const;
const full = [429, 'daily-cap'] as const;
const day_ms = 86_400_000;
const body_bytes_max = 16_384;

/** Asserts a 429 that says when to come back, in whole seconds. */
function assertCapped(
  answer: Answer | undefined,
  refusal: readonly [number, string],
  retry_after_s: number,
): void {
  assert.ok(answer);
  assertRefused(answer, refusal);
  assert.equal(answer.headers.get('retry-after'), String(retry_after_s));
}

/** Registers the agents one after the other, all by the same headers. */
async function registerAll(
  book: Book,
  agents: readonly TestAgent[],
  headers: Headers = {},
): Promise<number[]> {
  const statuses = [];
  for (const agent of agents) {
    statuses.push((await book.register(agent.registration(), headers)).status);
  }
  return statuses;
}

const forwarded = (addresses: string): Headers => ({ 'x-forwarded-for': addresses });

forEachEngine((engine) => {
  test('an address registers five keys a UTC day; the 6th is 429 with Retry-After to midnight, and what else is wrong is said first [BOOK-102] [BOOK-103] [BOOK-104] [BOOK-106] [BOOK-142]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
    const book = bookOf(house);
    const agents = makeAgents(12);
    const [first, sixth] = [agents[0] ?? assert.fail(), agents[5] ?? assert.fail()];
    assert.deepEqual(await registerAll(book, agents.slice(0, 5)), [201, 201, 201, 201, 201]);
    assertCapped(await book.register(sixth.registration()), capped, 43_200);
    assertRefused(await book.register(first.registration()), [409, 'already-registered']);
    const { name, publicKey } = sixth.registration();
    const unsigned = { name, publicKey, signature: sixth.sign('another text') };
    assertRefused(await book.register(unsigned), [401, 'bad-signature']);
    assertRefused(await book.register({ ...unsigned, name: 'no' }), bad, {
      about: 'name',
    });
    // Nobody is believed who says that he speaks for another.
    for (const headers of [
      forwarded('203.0.113.9'),
      forwarded('203.0.113.9, 198.51.100.7'),
      { forwarded: 'for=203.0.113.9;proto=https' },
      { 'x-real-ip': '203.0.113.9', 'x-client-ip': '203.0.113.9', 'true-client-ip': '::1' },
    ]) {
      assertCapped(await book.register(sixth.registration(), headers), capped, 43_200);
    }
    house.clock.advance(1);
    assertCapped(await book.register(sixth.registration()), capped, 43_200);
    house.clock.advance(999);
    assertCapped(await book.register(sixth.registration()), capped, 43_199);
    await house.restart();
    assertCapped(await book.register(sixth.registration()), capped, 43_199);
    house.clock.advanceTo(Date.parse('2026-09-07T23:59:58.500Z'));
    assertCapped(await book.register(sixth.registration()), capped, 2);
    house.clock.advanceTo(Date.parse('2026-09-07T23:59:59.999Z'));
    assertCapped(await book.register(sixth.registration()), capped, 1);
    house.clock.advance(1);
    assert.deepEqual(await registerAll(book, agents.slice(5, 10)), [201, 201, 201, 201, 201]);
    assertCapped(await book.register(agents[10]?.registration() ?? ''), capped, 86_400);
  });

  test('the cap holds over connections, at once, over processes and over a restart within the day [BOOK-105] [BOOK-109]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
    await using beside =
      engine === 'postgres'
        ? await openTestHouse({ engine, rooms: ['guestbook'], beside: house })
        : undefined;
    const books = [bookOf(house), bookOf(beside ?? house)];
    const agents = makeAgents(21);
    const [late = assert.fail(), ...others] = agents;
    // A connection is opened for each: the first twenty are on their way at the same time.
    const answers = await Promise.all(
      others.map((agent, index) =>
        books[index % 2]?.register(agent.registration(), { connection: 'close' }),
      ),
    );
    const known = answers.filter((answer) => answer !== undefined);
    assert.deepEqual(countOutcomes(known), { 201: 5, '429 registration-cap': 15 });
    for (const answer of known) {
      if (answer.status === 429) assertCapped(answer, capped, 43_200);
    }
    await house.restart();
    for (const book of books)
      assertCapped(await book.register(late.registration()), capped, 43_200);
    house.clock.advance(day_ms / 2);
    assert.equal((await books[1]?.register(late.registration()))?.status, 201);
  });

  test('behind n trusted proxies the address is the n-th from the right of X-Forwarded-For, else the socket [BOOK-107]', async () => {
    for (const { trust_proxy, chain } of [
      { trust_proxy: 1, chain: (address: string) => address },
      { trust_proxy: 2, chain: (address: string) => `${address}, 10.0.0.2` },
      { trust_proxy: 3, chain: (address: string) => `${address} ,10.0.0.3,\t10.0.0.2` },
    ]) {
      await using house = await openTestHouse({
        engine,
        rooms: ['guestbook'],
        config: { trust_proxy },
      });
      const book = bookOf(house);
      const agents = makeAgents(20);
      let next = 0;
      const register = async (addresses: string | undefined) => {
        const agent = agents[next] ?? assert.fail('too few agents');
        const headers = addresses === undefined ? {} : forwarded(addresses);
        const answer = await book.register(agent.registration(), headers);
        if (answer.status === 201) next += 1;
        else assertRefused(answer, capped);
        return answer.status;
      };
      for (let count = 0; count < 5; count += 1) {
        // What stands further left is the client's own claim, and changes nothing.
        const claim = count === 0 ? '' : `203.0.113.${count}, not an address, `;
        assert.equal(await register(claim + chain('198.51.100.1')), 201);
      }
      assert.equal(await register(chain('198.51.100.1')), 429);
      assert.equal(await register(`198.51.100.2, ${chain('198.51.100.1')}`), 429);
      assert.equal(await register(chain('198.51.100.2')), 201);
      // Fewer entries than proxies, or none that is an address: it counts as the socket's.
      const few = chain('198.51.100.3').split(',').slice(1).join(',');
      const strange = [undefined, '', few, chain('unknown'), chain('198.51.100.4:80'), chain('')];
      for (const addresses of strange.slice(0, 5)) assert.equal(await register(addresses), 201);
      for (const addresses of strange) assert.equal(await register(addresses), 429);
      assert.equal(await register(chain('127.0.0.1')), 429);
      assert.equal(await register(chain('198.51.100.5')), 201);
    }
  });

  test('IPv6 addresses count by their /64 in every spelling, mapped IPv4 as IPv4 [BOOK-108]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'], config: behind_proxy });
    const book = bookOf(house);
    const agents = makeAgents(60);
    const groups: [same: string[], another: string][] = [
      [
        [
          '2001:db8:0:1::1',
          '2001:db8:0:1:ffff:ffff:ffff:ffff',
          '2001:DB8::1:0:0:0:2',
          '2001:0db8:0000:0001:0000:0000:0000:0003',
          '2001:db8:0:1:2:3:198.51.100.1',
          '2001:db8:0:1::',
        ],
        '2001:db8:0:2::1',
      ],
      [
        [
          '198.51.100.77',
          '::ffff:198.51.100.77',
          '::FFFF:c633:644d',
          '0:0:0:0:0:ffff:198.51.100.77',
          '0000:0000:0000:0000:0000:ffff:c633:644d',
          '::ffff:c633:644d',
        ],
        '::ffff:198.51.100.78',
      ],
      [['::1', '::2', '0:0:0:0::3', '::198.51.100.1', '::', '::fffe:1.2.3.4'], '0:0:0:1::1'],
    ];
    let next = 0;
    const register = async (address: string) =>
      (await book.register((agents[next++] ?? assert.fail()).registration(), forwarded(address)))
        .status;
    for (const [same, another] of groups) {
      const statuses = [];
      for (const address of same) statuses.push(await register(address));
      assert.deepEqual(statuses, [201, 201, 201, 201, 201, 429], same[0]);
      assert.equal(await register(another), 201, another);
    }
  });

  test('posting falls under no address cap: six and more agents post from one address on one day [BOOK-110]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
    const book = bookOf(house);
    const agents = makeAgents(10);
    await registerAll(book, agents.slice(0, 5));
    house.clock.advance(day_ms);
    await registerAll(book, agents.slice(5));
    for (const agent of agents) assert.equal((await book.write(agent)).status, 201);
    assert.equal((await book.visible()).length, 10);
  });

  test('a UTC day takes 100 lines: the 101st is 429 with Retry-After to midnight, refused ones do not count, and nothing else stops [BOOK-111] [BOOK-112] [BOOK-113] [BOOK-115] [BOOK-116] [BOOK-141]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'], config: behind_proxy });
    const book = bookOf(house);
    const agents = await book.join(102);
    const [early = assert.fail()] = agents;
    const [hundredth = assert.fail(), late = assert.fail(), last = assert.fail()] =
      agents.slice(99);
    const date = book.today();
    const line = (agent: TestAgent) => agent.post({ date, message: `A line of ${agent.name}` });
    const refuseSome = async () => {
      for (const agent of agents.slice(0, 20)) {
        await book.post({ ...line(agent), message: 'Not what was signed' });
        await book.post({ ...line(agent), message: '' });
        await book.post(makeAgent('nobody').post({ date, message: 'By nobody' }));
      }
    };
    await refuseSome();
    const answers = await Promise.all(agents.slice(0, 99).map((agent) => book.post(line(agent))));
    assert.deepEqual(countOutcomes(answers), { 201: 99 });
    await refuseSome();
    for (const agent of agents.slice(0, 20)) {
      assertRefused(await book.post(line(agent)), [409, 'already-posted-today']);
    }
    assert.equal((await book.post(line(hundredth))).status, 201);
    assertCapped(await book.post(line(late)), full, 43_200);
    assertRefused(await book.post(line(hundredth)), [409, 'already-posted-today']);
    const head = (await book.head()).text;
    assert.match(head, /^\{"seq":100,/);

    // With several things wrong the first in the order of the checks answers.
    const nobody = makeAgent('nobody').fingerprint;
    const sent = early.post({ date, message: 'Once more' });
    const unsigned = { ...sent, message: 'Not what was signed' };
    const ordered: [body: object, refusal: readonly [number, string], about?: string][] = [
      [{ agent: 'x', date: 'x', message: '<', signature: 'x' }, bad, 'agent'],
      [{ ...sent, agent: nobody, date: '2026-09-06', message: '<', signature: 'x' }, bad, 'date'],
      [{ ...sent, agent: nobody, message: '<', signature: 'x' }, bad, 'message'],
      [{ ...sent, agent: nobody, signature: 'x' }, bad, 'signature'],
      [{ ...unsigned, agent: nobody }, [404, 'unknown-agent']],
      [unsigned, [401, 'bad-signature']],
      [sent, [409, 'already-posted-today']],
      [line(late), full],
    ];
    for (const [body, refusal, about] of ordered) {
      assertRefused(await book.post(body), refusal, about === undefined ? {} : { about });
    }
    await house.command('guestbook', 'suspend');
    for (const [body] of ordered) assertRefused(await book.post(body), [503, 'writes-disabled']);
    await house.command('guestbook', 'resume');

    // A full day stops neither registrations nor reads.
    assert.equal((await book.register(makeAgent('on a full day').registration())).status, 201);
    assert.equal((await book.head()).text, head);
    assert.equal((await book.visible()).length, 100);

    await house.restart();
    house.clock.advanceTo(Date.parse('2026-09-07T23:59:59.001Z'));
    assertCapped(await book.post(line(late)), full, 1);
    house.clock.advance(999);
    for (const agent of [late, hundredth, last]) {
      assert.equal((await book.write(agent)).status, 201);
    }
    assert.equal((await book.visible()).length, 103);
  });

  test('with 99 lines in the book 20 agents at once get one 201 and nineteen 429, through two processes as well [BOOK-114] [BOOK-091]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'], config: behind_proxy });
    await using beside =
      engine === 'postgres'
        ? await openTestHouse({ engine, rooms: ['guestbook'], beside: house })
        : undefined;
    const book = bookOf(house);
    const books = [book, bookOf(beside ?? house)];
    const agents = await book.join(119);
    const writeAll = (some: readonly TestAgent[]) =>
      Promise.all(some.map((agent, index) => (books[index % 2] ?? book).write(agent)));
    assert.deepEqual(countOutcomes(await writeAll(agents.slice(0, 99))), { 201: 99 });
    const answers = await writeAll(agents.slice(99));
    assert.deepEqual(countOutcomes(answers), { 201: 1, '429 daily-cap': 19 });
    for (const answer of answers) if (answer.status === 429) assertCapped(answer, full, 43_200);
    assert.equal((await book.visible()).length, 100);
  });

  test('registration checks suspension, form, signature, known key and cap in this order [BOOK-140] [BOOK-142]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
    const book = bookOf(house);
    const agents = makeAgents(6);
    const [known = assert.fail()] = agents;
    const sixth = agents[5] ?? assert.fail();
    await registerAll(book, agents.slice(0, 5));
    const body = known.registration();
    const ordered: [body: object | string, refusal: readonly [number, string], about?: string][] = [
      ['{"name":', bad, 'body'],
      [{ name: 'no', publicKey: 'x', signature: 'x' }, bad, 'name'],
      [{ ...body, publicKey: 'x', signature: 'x' }, bad, 'publicKey'],
      [{ ...body, signature: 'x' }, bad, 'signature'],
      [{ ...body, signature: known.sign('another text') }, [401, 'bad-signature']],
      [body, [409, 'already-registered']],
      [sixth.registration(), capped],
    ];
    for (const [sent, refusal, about] of ordered) {
      assertRefused(await book.register(sent), refusal, about === undefined ? {} : { about });
    }
    await house.command('guestbook', 'suspend');
    for (const [sent] of ordered) {
      assertRefused(await book.register(sent), [503, 'writes-disabled']);
    }
  });

  test('a body of 16,384 bytes is read, of 16,385 is 400, on both routes, whether its length is said or not [BOOK-139]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
    const book = bookOf(house);
    const [agent = assert.fail(), other = assert.fail()] = makeAgents(2);
    const padded = (body: object, bytes: number) => {
      const text = JSON.stringify({ ...body, padding: '' });
      return text.replace(
        '"padding":"',
        `"padding":"${'é'.repeat(8)}${'x'.repeat(bytes - Buffer.byteLength(text) - 16)}`,
      );
    };
    const line = agent.post({ date: book.today(), message: 'A line' });
    const sizes: [send: Book['post'], body: object][] = [
      [book.register, agent.registration()],
      [book.post, line],
    ];
    for (const [send, body] of sizes) {
      const fits = padded(body, body_bytes_max);
      assert.equal(Buffer.byteLength(fits), body_bytes_max);
      for (const bytes of [body_bytes_max + 1, 100_000, 1_000_000]) {
        const answer = await send(padded(body, bytes));
        assertRefused(answer, bad, { about: 'body' });
      }
      // Neither does a body count as short because its length is not said.
      const path = `${book_api}/${send === book.post ? 'entries' : 'agents'}`;
      const headers = { 'transfer-encoding': 'chunked' };
      const chunked = { method: 'POST', headers, body: padded(body, body_bytes_max + 1) };
      assertRefused(await requestWith(house, path, chunked), bad, { about: 'body' });
      assert.equal((await send(fits)).status, 201);
    }
    assert.equal((await book.register(other.registration())).status, 201);
    await book.visible();
  });
});
