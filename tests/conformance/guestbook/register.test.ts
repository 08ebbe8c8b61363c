import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { makeAgent, makeAgents } from '../../support/agents.ts';
import { assertAnswered, assertRefused, countOutcomes, readAnswer } from '../../support/answers.ts';
import { forEachEngine } from '../../support/engines.ts';
import {
  assertHolds,
  behind_proxy,
  book_api,
  bookOf,
  fromAddress,
} from '../../support/guestbook.ts';
import { openTestHouse } from '../../support/open-house.ts';

const bad = [400, 'invalid-request'] as const;

forEachEngine((engine) => {
  test('a key registers by its signature alone and answers its fingerprint and the name, two strings [BOOK-002] [BOOK-003] [BOOK-019] [BOOK-020] [BOOK-022]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
    const agent = makeAgent('a key of its own', 'Two Words');
    const answer = await bookOf(house).register(agent.registration());
    const digest = createHash('sha256').update(Buffer.from(agent.public_key, 'base64'));
    assertAnswered(answer, 201, { agent: digest.digest('hex'), name: 'Two Words' });
    assert.equal(answer.text, `{"agent":"${agent.fingerprint}","name":"Two Words"}`);
  });

  test('a name takes 3 to 32 of its characters, each at any place, alone or repeated, and is kept as sent [BOOK-023] [BOOK-024] [BOOK-025] [BOOK-027]', async () => {
    const characters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 _.-'];
    const names = [
      ...characters.map((character) => character.repeat(3)),
      characters.slice(0, 32).join(''),
      characters.slice(32, 64).join(''),
      'x'.repeat(32),
      '  doubled  spaces  ',
      ' A.b ',
      'a B',
    ];
    await using house = await openTestHouse({ engine, rooms: ['guestbook'], config: behind_proxy });
    const book = bookOf(house);
    const agents = names.map((name) => makeAgent(`named ${name}`, name));
    await Promise.all(
      agents.map(async (agent, index) => {
        const answer = await book.register(agent.registration(), fromAddress(index));
        assertAnswered(answer, 201, { agent: agent.fingerprint, name: agent.name });
      }),
    );
    for (const name of ['', 'ab', 'x'.repeat(33), ' ', '  ']) {
      const answer = await book.register(makeAgent('short', name).registration());
      assertRefused(answer, bad, { about: 'name' });
    }
    for (const agent of agents) assert.equal((await book.write(agent)).status, 201);
    const kept = (await book.visible()).map((entry) => entry.name);
    assert.deepEqual(kept, names);
  });

  test('a name takes no other character of ASCII, and none beyond [BOOK-026]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
    const book = bookOf(house);
    const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
    const others = ascii.filter((character) => !/[A-Za-z0-9 _.-]/.test(character));
    assert.equal(others.length, 128 - 66);
    const beyond = [
      'é',
      '\u212a',
      '\u017f',
      '\u0661',
      '\u00a0',
      '\u3000',
      '\u200b',
      'Ａ',
      '🤖',
      '名',
    ];
    for (const character of [...others, ...beyond]) {
      for (const name of [`a${character}b`, `abc${character}`, `${character}abc`]) {
        const answer = await book.register(makeAgent('stranger', name).registration());
        const what = JSON.stringify(name);
        assertRefused(answer, bad, { about: 'name', what });
      }
    }
    const lone = JSON.stringify(makeAgent('stranger', 'abcd').registration());
    const answer = await book.register(lone.replace('abcd', 'abc\\ud800'));
    assertRefused(answer, bad, { about: 'name' });
    await assertHolds(house, { lines: 0, agents: 0 });
  });

  test('a registered key stays under its first name: registering again is 409, and its entries carry that name [BOOK-007] [BOOK-008] [BOOK-048]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
    const book = bookOf(house);
    const agent = makeAgent('first come', 'First Name');
    assert.equal((await book.register(agent.registration())).status, 201);
    for (const name of ['First Name', 'Other Name', 'first name']) {
      const answer = await book.register(agent.registration(name));
      assertRefused(answer, [409, 'already-registered']);
    }
    const line = agent.post({ date: book.today(), message: 'Whose line is this' });
    assert.equal((await book.post(line)).status, 201);
    const [entry] = await book.visible();
    const { name, publicKey, sig } = entry ?? {};
    assert.deepEqual(
      { name, publicKey, sig },
      { name: 'First Name', publicKey: agent.public_key, sig: line.signature },
    );
    await assertHolds(house, { lines: 1, agents: 1 });
  });

  test('two keys may have one name [BOOK-011]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
    const book = bookOf(house);
    const twins = ['one', 'other'].map((seed) => makeAgent(seed, 'Twin'));
    for (const { registration, fingerprint } of twins) {
      assertAnswered(await book.register(registration()), 201, {
        agent: fingerprint,
        name: 'Twin',
      });
    }
    for (const twin of twins) assert.equal((await book.write(twin)).status, 201);
    const entries = await book.visible();
    assert.deepEqual(
      entries.map(({ agent, name }) => ({ agent, name })),
      twins.map(({ fingerprint }) => ({ agent: fingerprint, name: 'Twin' })),
    );
  });

  test('a refused registration leaves nothing behind: the key registers afterwards, and no refusal counts [BOOK-029] [BOOK-104]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
    const book = bookOf(house);
    const [agent, other, ...rest] = makeAgents(6);
    assert.ok(agent && other);
    const body = agent.registration();
    assert.equal((await book.register(other.registration())).status, 201);
    for (let round = 0; round < 3; round += 1) {
      assertRefused(await book.register({ ...body, name: 'no' }), bad, { about: 'name' });
      const forged = { ...body, signature: other.sign('another text') };
      assertRefused(await book.register(forged), [401, 'bad-signature']);
      assertRefused(await book.register(other.registration()), [409, 'already-registered']);
    }
    await assertHolds(house, { lines: 0, agents: 1 });
    for (const { registration } of [agent, ...rest.slice(0, 3)]) {
      assert.equal((await book.register(registration())).status, 201);
    }
    const sixth = rest[3]?.registration() ?? '';
    assertRefused(await book.register(sixth), [429, 'registration-cap']);
  });

  test('a registration signed over another order, white space, another or no v, or as a post is 401 [BOOK-012] [BOOK-013] [BOOK-017] [BOOK-018] [BOOK-021]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
    const book = bookOf(house);
    const agent = makeAgent('signs otherwise', 'Signs Otherwise');
    const { name, publicKey } = agent.registration();
    const action = 'register';
    const texts = [
      { name, action, publicKey, v: 1 },
      { v: 1, publicKey, name, action },
      { action, name, publicKey },
      { action, name, publicKey, v: '1' },
      { action, name, publicKey, v: 2 },
      { action, name, publicKey, v: 1.5 },
      { action: 'post', name, publicKey, v: 1 },
      { action: 'post', agent: agent.fingerprint, date: book.today(), message: name, v: 1 },
      { action, name: 'Another Name', publicKey, v: 1 },
      { action, name, publicKey: `${publicKey}=`, v: 1 },
      { action, name, publicKey, v: 1, more: true },
    ].map((payload) => JSON.stringify(payload));
    texts.push(JSON.stringify({ action, name, publicKey, v: 1 }, null, 1));
    texts.push(`${JSON.stringify({ action, name, publicKey, v: 1 })}\n`);
    for (const text of texts) {
      const answer = await book.register({ name, publicKey, signature: agent.sign(text) });
      assertRefused(answer, [401, 'bad-signature'], { what: text });
    }
    assert.equal((await book.register(agent.registration())).status, 201);
  });

  test('members that the document does not name change nothing, and of a repeated member the last counts [BOOK-031]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
    const book = bookOf(house);
    const agent = makeAgent('more members', 'More Members');
    const more = { v: 2, action: 'post', agent: 'x', admin: true, constructor: null };
    assertRefused(await book.register({ ...agent.registration('no'), ...more }), bad, {
      about: 'name',
    });
    const text = JSON.stringify({ ...more, ...agent.registration() });
    const repeated = text.replace('{', '{"name":7,"signature":null,"__proto__":{"name":"Nobody"},');
    const joined = { agent: agent.fingerprint, name: 'More Members' };
    assertAnswered(await book.register(repeated), 201, joined);
    const again = await book.register({ ...agent.registration(), ...more });
    assertRefused(again, [409, 'already-registered']);
  });

  test('of 20 registrations of one key at once one is answered 201, and its name stays [BOOK-030]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'], config: behind_proxy });
    await using beside =
      engine === 'postgres'
        ? await openTestHouse({ engine, rooms: ['guestbook'], beside: house, config: behind_proxy })
        : undefined;
    const books = [house, beside ?? house].map(bookOf);
    const agent = makeAgent('wanted by many');
    for (const [seed, headers] of [
      ['from one address', () => ({})],
      ['from many addresses', fromAddress],
    ] as const) {
      const contested = makeAgent(`${agent.fingerprint} ${seed}`);
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          books[index % 2]?.register(contested.registration(`Name ${index}`), headers(index)),
        ),
      );
      const known = answers.filter((answer) => answer !== undefined);
      assert.deepEqual(countOutcomes(known), { 201: 1, '409 already-registered': 19 }, seed);
      const won = known.find(({ status }) => status === 201)?.body as { name: string };
      assert.equal((await bookOf(house).write(contested)).status, 201);
      const entry = (await bookOf(house).visible()).at(-1);
      assert.deepEqual([entry?.agent, entry?.name], [contested.fingerprint, won.name]);
    }
  });

  test('nothing over HTTP renames or removes an agent or an entry: other methods are 404 and change nothing [BOOK-010]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
    const book = bookOf(house);
    const agent = makeAgent('stays', 'Stays');
    await book.register(agent.registration());
    await book.write(agent);
    const before = [(await book.entries()).text, (await book.head()).text];
    const bodies = [null, JSON.stringify(agent.registration('Renamed')), 'no JSON', '{"v":'];
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      for (const path of ['agents', 'entries', `agents/${agent.fingerprint}`, 'entries/1']) {
        for (const body of bodies) {
          const headers = { 'content-type': 'application/json' };
          const sent = await house.fetch(`${book_api}/${path}`, { method, body, headers });
          const what = `${method} ${path} ${body}`;
          assertRefused(await readAnswer(sent), [404, 'not-found'], { what });
        }
      }
    }
    assert.deepEqual([(await book.entries()).text, (await book.head()).text], before);
    await assertHolds(house, { lines: 1, agents: 1 });
  });
});
