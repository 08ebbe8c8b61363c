import assert from 'node:assert/strict';
import { test } from 'node:test';
import ledger from '../../../protocol/guestbook/vectors/ledger.json' with { type: 'json' };
import { makeAgent, type TestAgent } from '../../support/agents.ts';
import { assertAnswered, assertRefused, readAnswer } from '../../support/answers.ts';
import { forEachEngine } from '../../support/engines.ts';
import { assertHolds, bookOf, fromAddress, type Sent } from '../../support/guestbook.ts';
import { openTestHouse, type TestHouse } from '../../support/open-house.ts';

type RefusedCase = {
  readonly id: string;
  readonly because: string;
  readonly body?: unknown;
  readonly bodyText?: string;
  readonly bodyBase64?: string;
  readonly status: number;
  readonly code: string;
};

const { refused } = ledger;
const refused_registrations: readonly RefusedCase[] = refused.registrations;
const refused_posts: readonly RefusedCase[] = refused.posts;

/** What is sent in a case: its body as JSON, its text, or its bytes. */
function sentIn({ id, body, bodyText, bodyBase64 }: RefusedCase): Sent {
  const sent =
    bodyBase64 !== undefined
      ? Uint8Array.from(Buffer.from(bodyBase64, 'base64'))
      : (bodyText ?? (body as object | undefined));
  assert.ok(sent !== undefined, id);
  return sent;
}

/** The field that a case's message begins with; undefined where no field is at fault. */
function fieldOf({ id, status }: RefusedCase): string | undefined {
  if (status !== 400) return undefined;
  const named = /^[RP]-(?:MISS|TYPE|NULL)-(\w+)$/.exec(id)?.[1];
  if (named) return named;
  const fields: [id: RegExp, field: string][] = [
    [/BODY/, 'body'],
    [/^N-/, 'name'],
    [/^K-/, 'publicKey'],
    [/^R?S-/, 'signature'],
    [/^M-/, 'message'],
    [/^D-|BADDATE$/, 'date'],
    [/^A-/, 'agent'],
  ];
  const field = fields.find(([pattern]) => pattern.test(id))?.[1];
  assert.ok(field, id);
  return field;
}

const keys: Readonly<Record<string, typeof ledger.keys.A>> = ledger.keys;

function agentOf(letter: string, name?: string): TestAgent {
  return makeAgent(Uint8Array.from(Buffer.from(keys[letter]?.seed ?? '', 'base64')), name);
}

function bodyOf({ key, name, signature }: (typeof ledger.registrations)[number]): Sent {
  return { name, publicKey: keys[key]?.publicKey, signature };
}

const setup_start = Date.parse(refused.setup.now);

/** Brings a new house to the state that the setup of the refused cases describes. */
async function setUp(house: TestHouse): Promise<void> {
  for (const one of ledger.registrations) {
    if (!refused.setup.registered.includes(one.key)) continue;
    assertAnswered(await bookOf(house).register(bodyOf(one)), 201, one.response.body);
  }
}

async function refusesRegistrations(engine: TestHouse['engine'], ids: RegExp): Promise<void> {
  const cases = refused_registrations.filter(({ id }) => ids.test(id));
  assert.notEqual(cases.length, 0);
  await using house = await openTestHouse({ engine, rooms: ['guestbook'], start: setup_start });
  await setUp(house);
  const book = bookOf(house);
  for (const one of cases) {
    const about = fieldOf(one);
    assertRefused(await book.register(sentIn(one)), [one.status, one.code], {
      ...(about ? { about } : {}),
      what: one.id,
    });
  }
  await assertHolds(house, { lines: 0, agents: refused.setup.registered.length });
  // The key of the cases is as new as before, and the address has three of its five left.
  for (const letter of ['D', 'E', 'F']) {
    const { name, fingerprint, registration } = agentOf(letter, 'Fresh Key');
    assertAnswered(await book.register(registration()), 201, { agent: fingerprint, name });
  }
}

async function refusesPosts(engine: TestHouse['engine'], ids: RegExp): Promise<void> {
  const cases = refused_posts.filter(({ id }) => ids.test(id));
  assert.notEqual(cases.length, 0);
  await using house = await openTestHouse({ engine, rooms: ['guestbook'], start: setup_start });
  await setUp(house);
  const book = bookOf(house);
  for (const one of cases) {
    const about = fieldOf(one);
    assertRefused(await book.post(sentIn(one)), [one.status, one.code], {
      ...(about ? { about } : {}),
      what: one.id,
    });
  }
  assertAnswered(await book.head(), 200, ledger.chain.heads[0]);
  assertAnswered(await book.entries(), 200, { entries: [] });
  // The agent of the cases has kept its line of the day, and it is entry 1.
  assert.equal((await book.write(agentOf('A'))).status, 201);
  assert.equal((await book.visible())[0]?.seq, 1);
}

const registration_groups = {
  names: /^N-/,
  keys: /^K-/,
  signature_forms: /^RS-FORM/,
  signatures: /^RS-BAD/,
  fields: /^R-(MISS|TYPE|NULL)-/,
  bodies: /^R-BODY/,
  known_keys: /^R-(AGAIN|RENAME)$/,
};

const post_groups = {
  lengths: /^M-(EMPTY|281)/,
  lines: /^M-(CTRL|CRLF|LINE)/,
  bidi: /^M-BIDI/,
  invisible: /^M-ZW/,
  brackets: /^M-(LT|GT|TAG)$/,
  urls: /^M-URL/,
  surrogates: /^M-SURR/,
  dates: /^D-/,
  agents: /^A-/,
  signature_forms: /^S-FORM/,
  signatures: /^S-BAD/,
  fields: /^P-(MISS|TYPE|NULL)-/,
  bodies: /^P-BODY/,
};

test('every refused case of the vectors belongs to one group of the tests below', () => {
  for (const [cases, groups] of [
    [refused_registrations, registration_groups],
    [refused_posts, post_groups],
  ] as const) {
    for (const { id } of cases) {
      const own = Object.values(groups).filter((ids) => ids.test(id));
      assert.equal(own.length, 1, id);
    }
  }
});

forEachEngine((engine) => {
  test('registering refuses names of another length or with another character than allowed [BOOK-023] [BOOK-024] [BOOK-026] [BOOK-029]', () =>
    refusesRegistrations(engine, registration_groups.names));

  test('registering refuses keys that are not the one spelling of a sound point, forgeable ones and the example key among them [BOOK-003] [BOOK-004] [BOOK-005] [BOOK-006] [BOOK-132] [BOOK-029]', () =>
    refusesRegistrations(engine, registration_groups.keys));

  test('registering refuses signatures that are not the one spelling of 64 bytes [BOOK-022] [BOOK-029]', () =>
    refusesRegistrations(engine, registration_groups.signature_forms));

  test('registering refuses signatures that do not verify, or are made over another text [BOOK-012] [BOOK-017] [BOOK-018] [BOOK-021] [BOOK-029]', () =>
    refusesRegistrations(engine, registration_groups.signatures));

  test('registering names the field that is missing, null or no string [BOOK-028]', () =>
    refusesRegistrations(engine, registration_groups.fields));

  test('registering refuses a body that is empty, no JSON or no object [BOOK-138]', () =>
    refusesRegistrations(engine, registration_groups.bodies));

  test('registering refuses a key that is registered, under its name and under another [BOOK-007] [BOOK-008] [BOOK-104]', () =>
    refusesRegistrations(engine, registration_groups.known_keys));

  test('posting refuses a message of 0 and of 281 code points [BOOK-049] [BOOK-050] [BOOK-051] [BOOK-047]', () =>
    refusesPosts(engine, post_groups.lengths));

  test('posting refuses controls, line ends and line separators in a message [BOOK-052] [BOOK-053] [BOOK-054]', () =>
    refusesPosts(engine, post_groups.lines));

  test('posting refuses bidi controls in a message [BOOK-055]', () =>
    refusesPosts(engine, post_groups.bidi));

  test('posting refuses zero-width and otherwise invisible characters, joined emoji among them [BOOK-056] [BOOK-057]', () =>
    refusesPosts(engine, post_groups.invisible));

  test('posting refuses angle brackets in a message [BOOK-059]', () =>
    refusesPosts(engine, post_groups.brackets));

  test('posting refuses every form of URL in a message [BOOK-060] [BOOK-061] [BOOK-062] [BOOK-063] [BOOK-064] [BOOK-065] [BOOK-066]', () =>
    refusesPosts(engine, post_groups.urls));

  test('posting refuses lone and reversed surrogates before it looks at the signature [BOOK-069]', () =>
    refusesPosts(engine, post_groups.surrogates));

  test('posting refuses a date that is not today, or not a date at all [BOOK-038] [BOOK-039] [BOOK-040]', () =>
    refusesPosts(engine, post_groups.dates));

  test('posting refuses an agent that is no fingerprint, or nobody, the date before the agent and the agent before the signature [BOOK-034] [BOOK-035] [BOOK-143]', () =>
    refusesPosts(engine, post_groups.agents));

  test('posting refuses signatures that are not the one spelling of 64 bytes [BOOK-037]', () =>
    refusesPosts(engine, post_groups.signature_forms));

  test('posting refuses signatures that do not verify, or are made over another text [BOOK-012] [BOOK-013] [BOOK-016] [BOOK-036]', () =>
    refusesPosts(engine, post_groups.signatures));

  test('posting names the field that is missing, null or no string [BOOK-044]', () =>
    refusesPosts(engine, post_groups.fields));

  test('posting refuses a body that is empty, no JSON, no object, no UTF-8 or too large [BOOK-070] [BOOK-138] [BOOK-139]', () =>
    refusesPosts(engine, post_groups.bodies));

  test('reading refuses every spelling of after and limit but plain decimals in their bounds [BOOK-075] [BOOK-076] [BOOK-078]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'], start: setup_start });
    await setUp(house);
    for (const { query, status, code } of refused.reads) {
      const [about] = query.split('=');
      assertRefused(await bookOf(house).entries(`?${query}`), [status, code], {
        about: about ?? '',
        what: query,
      });
    }
  });

  test('every registration of the vectors gets its exact answer [BOOK-002] [BOOK-019] [BOOK-020] [BOOK-025] [BOOK-027]', async () => {
    await using house = await openTestHouse({
      engine,
      rooms: ['guestbook'],
      config: { trust_proxy: 1 },
    });
    for (const [index, one] of ledger.registrations.entries()) {
      const answer = await bookOf(house).register(bodyOf(one), fromAddress(index));
      assertAnswered(answer, one.response.status, one.response.body, one.id);
    }
  });

  test('every message of the vectors is taken as signed and comes back code point for code point, in the entry that the vectors hash [BOOK-014] [BOOK-015] [BOOK-049] [BOOK-050] [BOOK-051] [BOOK-055] [BOOK-058] [BOOK-067] [BOOK-068] [BOOK-071]', async () => {
    // The vectors' posts are all of one agent and one day: the first is sent as it is signed there,
    // each later one on a day of its own.
    await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
    const book = bookOf(house);
    const agent = agentOf('A', 'Two Words');
    assert.equal((await book.register(agent.registration())).status, 201);
    for (const [index, post] of ledger.posts.entries()) {
      const line = { date: book.today(), message: post.message };
      const body = agent.post(line);
      if (index === 0) {
        assert.equal(body.signature, post.signature);
        assert.equal(book.today(), post.date);
      }
      const answer = await book.post(body);
      assert.equal(answer.status, 201, `${post.id}: ${answer.text}`);
      house.clock.advance(86_400_000);
    }
    const entries = await book.visible();
    assert.equal(entries[0]?.entryHash, ledger.posts[0]?.entryHashAsSeq1At20260907T120000000Z);
    assert.deepEqual(
      entries.map(({ message }) => message),
      ledger.posts.map(({ message }) => message),
    );
  });

  test("the vectors' scenario gets every answer exactly, over midnight [BOOK-135] [BOOK-041] [BOOK-042] [BOOK-045] [BOOK-046] [BOOK-073] [BOOK-081] [BOOK-082]", async () => {
    const { steps } = ledger.scenario;
    await using house = await openTestHouse({
      engine,
      rooms: ['guestbook'],
      start: Date.parse(steps[0]?.now ?? ''),
    });
    for (const [index, step] of steps.entries()) {
      const what = `step ${index + 1}: ${step.request}`;
      house.clock.advanceTo(Date.parse(step.now));
      const [method = '', path = ''] = step.request.split(' ');
      const body = step.body ? JSON.stringify(step.body) : null;
      const answer = await readAnswer(await house.fetch(`/guestbook${path}`, { method, body }));
      if (step.code) assertRefused(answer, [step.status, step.code], { what });
      else assertAnswered(answer, step.status, step.answer, what);
    }
  });

  test('the example key is burned: registering it says so, and nobody posts by its fingerprint [BOOK-132] [BOOK-133]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
    const book = bookOf(house);
    const { publicKey, fingerprint, registration, post } = ledger.document;
    const { name, signature } = registration;
    const message = assertRefused(
      await book.register({ name, publicKey, signature }),
      [400, 'invalid-request'],
      { about: 'publicKey' },
    );
    assert.match(message, /example key/);
    const line = { agent: fingerprint, date: post.date, message: post.message };
    assert.equal(book.today(), post.date);
    assertRefused(await book.post({ ...line, signature: post.signature }), [404, 'unknown-agent']);
    const again = makeAgent(Buffer.from(ledger.document.seed, 'base64'), 'Another Name');
    assertRefused(await book.register(again.registration()), [400, 'invalid-request'], {
      about: 'publicKey',
    });
  });
});
