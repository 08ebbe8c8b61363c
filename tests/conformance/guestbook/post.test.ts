import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAgent, makeAgents, type Post } from '../../support/agents.ts';
import { assertRefused, countOutcomes, readAnswer } from '../../support/answers.ts';
import { forEachEngine } from '../../support/engines.ts';
import { behind_proxy, book_api, bookOf } from '../../support/guestbook.ts';
import { openTestHouse } from '../../support/open-house.ts';

const bad = [400, 'invalid-request'] as const;
const zeros = '0'.repeat(64);
const day_ms = 86_400_000;

/** The order of the group of Ed25519: adding it to S keeps the equation, and a lax verifier, happy. */
const group_order = 2n ** 252n + 27742317777372353535851937790883648493n;

function withRaisedS(signature: string): string {
  const bytes = Buffer.from(signature, 'base64');
  const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + group_order;
  const raised = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse();
  return Buffer.concat([bytes.subarray(0, 32), raised]).toString('base64');
}

forEachEngine((engine) => {
  test('a registered key posts by its signature alone and answers its place in the chain, four members [BOOK-001] [BOOK-032] [BOOK-033] [BOOK-045] [BOOK-046] [BOOK-048]', async () => {
    await using house = await openTestHouse({
      engine,
      rooms: ['guestbook'],
      start: Date.parse('2026-09-07T08:05:09.007Z'),
    });
    const book = bookOf(house);
    const agents = makeAgents(3);
    for (const agent of agents) await book.register(agent.registration());
    let prevHash = zeros;
    for (const [index, agent] of agents.entries()) {
      house.clock.advance(1_001);
      const sent = agent.post({ date: '2026-09-07', message: `Line ${index + 1}` });
      // Neither token, cookie nor authorization, and a place in the chain that nobody asked for.
      const answer = await book.post({ ...sent, seq: 99, prevHash: 'f'.repeat(64) });
      assert.equal(answer.status, 201, answer.text);
      const { entryHash, ...rest } = answer.body as { entryHash: string };
      const postedUtc = `2026-09-07T08:05:1${index}.0${8 + index < 10 ? '0' : ''}${8 + index}Z`;
      assert.deepEqual(rest, { seq: index + 1, prevHash, postedUtc });
      assert.match(entryHash, /^[0-9a-f]{64}$/);
      const entry = (await book.visible()).at(-1);
      assert.deepEqual(entry, {
        agent: agent.fingerprint,
        date: '2026-09-07',
        message: `Line ${index + 1}`,
        name: agent.name,
        postedUtc,
        prevHash,
        publicKey: agent.public_key,
        seq: index + 1,
        sig: sent.signature,
        v: 1,
        entryHash,
      });
      prevHash = entryHash;
    }
  });

  test('a post signed over another order, white space, another or no v, escapes, or as a registration is 401 [BOOK-012] [BOOK-013] [BOOK-014] [BOOK-016] [BOOK-018] [BOOK-036]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
    const book = bookOf(house);
    const [agent, other] = makeAgents(2);
    assert.ok(agent && other);
    for (const one of [agent, other]) await book.register(one.registration());
    const line = { date: book.today(), message: 'A café says "\\" & \'/\'' };
    const { agent: fingerprint, signature } = agent.post(line);
    const { date, message } = line;
    const action = 'post';
    const payload = { action, agent: fingerprint, date, message, v: 1 };
    const printed = JSON.stringify(payload);
    const texts = [
      JSON.stringify({ agent: fingerprint, action, date, message, v: 1 }),
      JSON.stringify({ v: 1, message, date, agent: fingerprint, action }),
      JSON.stringify({ action, agent: fingerprint, date, message }),
      JSON.stringify({ ...payload, v: '1' }),
      JSON.stringify({ ...payload, v: 2 }),
      JSON.stringify({ ...payload, action: 'register' }),
      JSON.stringify({ ...payload, message: 'Another message' }),
      JSON.stringify({ ...payload, date: '2026-09-06' }),
      JSON.stringify({ ...payload, agent: other.fingerprint }),
      JSON.stringify(payload, null, 1),
      `${printed}\n`,
      printed.replaceAll(',"', ', "'),
      printed.replaceAll(':"', ': "'),
      printed.replace('é', '\\u00e9'),
      printed.replaceAll('/', '\\/'),
      printed.replace('&', '\\u0026'),
      printed.replace("'", '\\u0027'),
      message,
    ];
    assert.equal(new Set([...texts, printed]).size, texts.length + 1);
    const signatures = [
      ...texts.map((text) => agent.sign(text)),
      other.sign(printed),
      agent.registration().signature,
      withRaisedS(signature),
      Buffer.alloc(64).toString('base64'),
      Buffer.from(signature, 'base64').reverse().toString('base64'),
    ];
    for (const [index, wrong] of signatures.entries()) {
      const answer = await book.post({ agent: fingerprint, ...line, signature: wrong });
      assertRefused(answer, [401, 'bad-signature'], { what: texts[index] ?? `${index}` });
    }
    assert.equal((await book.post(agent.post(line))).status, 201);
    assert.equal((await book.visible())[0]?.message, message);
  });

  test('a refused post takes no seq, adds no entry, moves no head and leaves the agent its day [BOOK-047]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
    const book = bookOf(house);
    const [agent, other, stranger] = makeAgents(3);
    assert.ok(agent && other && stranger);
    for (const one of [agent, other]) await book.register(one.registration());
    assert.equal((await book.write(other)).status, 201);
    const head = (await book.head()).text;
    const entries = (await book.entries()).text;
    const date = book.today();
    const sent = agent.post({ date, message: 'A line' });
    const refused: [body: Post, status: number, code: string][] = [
      [agent.post({ date, message: '' }), ...bad],
      [agent.post({ date: '2026-09-06', message: 'A line' }), ...bad],
      [{ ...sent, message: 'Another line' }, 401, 'bad-signature'],
      [stranger.post({ date, message: 'A line' }), 404, 'unknown-agent'],
      [other.post({ date, message: 'A second line' }), 409, 'already-posted-today'],
    ];
    for (const [body, status, code] of refused) {
      assertRefused(await book.post(body), [status, code]);
      assert.equal((await book.head()).text, head);
      assert.equal((await book.entries()).text, entries);
    }
    const answer = await book.post(sent);
    assert.equal((answer.body as { seq: number }).seq, 2);
    await book.visible();
  });

  test('the day turns at midnight UTC: a body passes through its last millisecond and is 400 from the next [BOOK-038] [BOOK-039] [BOOK-041] [BOOK-043] [BOOK-100]', async () => {
    await using house = await openTestHouse({
      engine,
      rooms: ['guestbook'],
      start: Date.parse('2026-12-31T00:00:00.000Z'),
    });
    const book = bookOf(house);
    const [early, late, unsent] = makeAgents(3);
    assert.ok(early && late && unsent);
    for (const agent of [early, late, unsent]) await book.register(agent.registration());
    const line = (date: string) => ({ date, message: `A line of ${date}` });
    for (const date of ['2026-12-30', '2027-01-01', '2025-12-31', '2026-12-32', '+002026-12-31']) {
      assertRefused(await book.post(early.post(line(date))), bad, { about: 'date', what: date });
    }
    assert.equal((await book.post(early.post(line('2026-12-31')))).status, 201);
    house.clock.advanceTo(Date.parse('2026-12-31T23:59:59.999Z'));
    assertRefused(await book.post(late.post(line('2027-01-01'))), bad, { about: 'date' });
    assert.equal((await book.post(late.post(line('2026-12-31')))).status, 201);
    house.clock.advance(1);
    assertRefused(await book.post(unsent.post(line('2026-12-31'))), bad, { about: 'date' });
    for (const agent of [late, early, unsent]) {
      assert.equal((await book.post(agent.post(line('2027-01-01')))).status, 201);
    }
    const entries = await book.visible();
    assert.deepEqual(
      entries.map(({ date, postedUtc }) => [date, postedUtc]),
      [
        ['2026-12-31', '2026-12-31T00:00:00.000Z'],
        ['2026-12-31', '2026-12-31T23:59:59.999Z'],
        ['2027-01-01', '2027-01-01T00:00:00.000Z'],
        ['2027-01-01', '2027-01-01T00:00:00.000Z'],
        ['2027-01-01', '2027-01-01T00:00:00.000Z'],
      ],
    );
  });

  test('posts in flight while the day turns are dated as signed or refused, never stored under another day [BOOK-041] [BOOK-043]', async () => {
    await using house = await openTestHouse({
      engine,
      rooms: ['guestbook'],
      start: Date.parse('2026-09-07T23:59:59.999Z'),
      config: behind_proxy,
    });
    const book = bookOf(house);
    const agents = await book.join(40);
    const bodies = agents.map((agent) =>
      agent.post({ date: book.today(), message: 'At the turn' }),
    );
    let answered = 0;
    const answers = await Promise.all(
      bodies.map(async (body) => {
        const answer = await book.post(body);
        answered += 1;
        if (answered === 5) house.clock.advance(1);
        return answer;
      }),
    );
    const taken = answers.filter(({ status }) => status === 201);
    assert.ok(taken.length >= 5);
    for (const answer of answers) {
      if (answer.status !== 201) assertRefused(answer, bad, { about: 'date' });
    }
    const entries = await book.visible();
    assert.equal(entries.length, taken.length);
    for (const { date, postedUtc } of entries) assert.equal(postedUtc.slice(0, 10), date);
  });

  test('a body sent again never makes a second entry: 409 on its day, 400 later [BOOK-042] [BOOK-099] [BOOK-100]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
    const book = bookOf(house);
    const agent = makeAgent('sends again');
    await book.register(agent.registration());
    const body = agent.post({ date: book.today(), message: 'Said once' });
    assert.equal((await book.post(body)).status, 201);
    const full_day = [409, 'already-posted-today'] as const;
    assertRefused(await book.post(body), full_day);
    const other = agent.post({ date: book.today(), message: 'Said otherwise' });
    assertRefused(await book.post(other), full_day);
    house.clock.advanceTo(Date.parse('2026-09-07T23:59:59.999Z'));
    assertRefused(await book.post(body), full_day);
    house.clock.advance(1);
    assertRefused(await book.post(body), bad, { about: 'date' });
    assert.equal((await book.write(agent, 'Said a day later')).status, 201);
    house.clock.advance(day_ms);
    assertRefused(await book.post(body), bad, { about: 'date' });
    const messages = (await book.visible()).map(({ message }) => message);
    assert.deepEqual(messages, ['Said once', 'Said a day later']);
  });

  test('of 20 different and of 50 equal posts by one agent at once one is answered 201, the others 409 [BOOK-101] [BOOK-042]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
    await using beside =
      engine === 'postgres'
        ? await openTestHouse({ engine, rooms: ['guestbook'], beside: house })
        : undefined;
    const books = [bookOf(house), bookOf(beside ?? house)] as const;
    const agent = makeAgent('posts at once');
    await books[0].register(agent.registration());
    for (const [count, messageOf] of [
      [20, (index: number) => `Line ${index}`],
      [50, () => 'The same line'],
    ] as const) {
      const bodies = Array.from({ length: count }, (_, index) =>
        agent.post({ date: books[0].today(), message: messageOf(index) }),
      );
      const answers = await Promise.all(
        bodies.map((body, index) => books[index % 2 ? 1 : 0].post(body)),
      );
      assert.deepEqual(countOutcomes(answers), { 201: 1, '409 already-posted-today': count - 1 });
      const entries = await books[0].visible();
      const won = bodies[answers.findIndex(({ status }) => status === 201)];
      assert.equal(entries.at(-1)?.sig, won?.signature);
      assert.equal(entries.length, count === 20 ? 1 : 2);
      house.clock.advance(day_ms);
    }
  });

  test('registration is permanent: a key posts a year later without renewal [BOOK-009]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
    const book = bookOf(house);
    const agent = makeAgent('returns', 'Returns');
    await book.register(agent.registration());
    house.clock.advance(365 * day_ms);
    await house.restart();
    assert.equal((await book.write(agent)).status, 201);
    const [entry] = await book.visible();
    assert.deepEqual([entry?.name, entry?.date], ['Returns', '2027-09-07']);
    assertRefused(await book.register(agent.registration()), [409, 'already-registered']);
  });

  test('a body is read as strict JSON whatever its content type says, and of a repeated member the last counts [BOOK-070] [BOOK-138]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
    const book = bookOf(house);
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'image/png',
      '',
      'nonsense',
      'a;b=é',
    ];
    const agents = types.map((type) => makeAgent(`says ${type}`));
    for (const [index, type] of types.entries()) {
      const agent = agents[index];
      assert.ok(agent);
      const headers = { 'content-type': encodeURI(type) };
      assert.equal(
        (await book.register(agent.registration(), headers)).status,
        index < 5 ? 201 : 429,
      );
      if (index === 5) continue;
      const line = agent.post({ date: book.today(), message: 'Any type' });
      const text = JSON.stringify(line).replace('{', '{"message":"Another","agent":7,');
      assert.equal((await book.post(text, headers)).status, 201, type);
    }
    const [agent] = agents;
    assert.ok(agent);
    house.clock.advance(day_ms);
    const text = JSON.stringify(agent.post({ date: book.today(), message: 'é' }));
    const utf8 = Buffer.from(text);
    const at = utf8.indexOf(0xc3);
    const spoilt = (octets: number[]) =>
      Buffer.concat([utf8.subarray(0, at), Buffer.from(octets), utf8.subarray(at + 2)]);
    const not_utf8 = [
      [0xc3],
      [0xe9],
      [0xff],
      [0xc0, 0xaf],
      [0xed, 0xa0, 0x80],
      [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
      [0x80],
    ].map(spoilt);
    const bom = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), utf8]);
    const utf16 = Buffer.from(text, 'utf16le');
    for (const octets of [...not_utf8, bom, utf16, utf8.subarray(0, -1)]) {
      const answer = await book.post(Uint8Array.from(octets));
      assertRefused(answer, bad, { about: 'body', what: octets.toString('hex') });
    }
    for (const no_object of [
      'null',
      'true',
      '7',
      '"text"',
      '[]',
      `[${text}]`,
      `${text}x`,
      '{,}',
      ' ',
    ]) {
      assertRefused(await book.post(no_object), bad, { about: 'body', what: no_object });
    }
    assert.equal((await book.post(` \r\n\t${text}\n`)).status, 201);
  });

  test('a POST that a page of another site sends is 400, on both routes [BOOK-137]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
    const book = bookOf(house);
    const agent = makeAgent('a page of another site');
    const foreign = { 'sec-fetch-site': 'cross-site' };
    assertRefused(await book.register(agent.registration(), foreign), bad, { about: 'request' });
    for (const site of ['same-origin', 'same-site', 'none']) {
      const own = makeAgent(`a page of ${site}`);
      const answer = await book.register(own.registration(), { 'sec-fetch-site': site });
      assert.equal(answer.status, 201, site);
    }
    await book.register(agent.registration());
    const line = agent.post({ date: book.today(), message: 'From a page' });
    assertRefused(await book.post(line, foreign), bad, { about: 'request' });
    assert.equal((await book.post(line)).status, 201);
    const read = await house.fetch(`${book_api}/head`, { headers: foreign });
    assert.equal((await readAnswer(read)).status, 200);
  });
});
