import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageComplaint } from '@stoa/proof/guestbook';
import fc from 'fast-check';
import { makeAgent, type TestAgent } from '../../support/agents.ts';
import { assertRefused, countOutcomes } from '../../support/answers.ts';
import { forOneEngine } from '../../support/engines.ts';
import { type Book, behind_proxy, bookOf } from '../../support/guestbook.ts';
import { openTestHouse, type TestHouse } from '../../support/open-house.ts';

const bad = [400, 'invalid-request'] as const;
const day_ms = 86_400_000;

type Engine = TestHouse['engine'];

const character = (code_point: number) => String.fromCodePoint(code_point);

/** The characters of some ranges, written like `0-1F 7F`. */
function charactersOf(ranges: string): string[] {
  return ranges.split(' ').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map((hex) => Number.parseInt(hex, 16));
    return Array.from({ length: last - first + 1 }, (_, index) => character(first + index));
  });
}

async function assertAllRefused(engine: Engine, messages: readonly string[]): Promise<void> {
  await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
  const book = bookOf(house);
  const agent = makeAgent('says it anyhow');
  await book.register(agent.registration());
  for (const message of messages) {
    const answer = await book.post(agent.post({ date: book.today(), message }));
    assertRefused(answer, bad, { about: 'message', what: JSON.stringify(message) });
  }
  assert.deepEqual(await book.visible(), []);
}

/** Writes each message on a day of its own and asserts that all come back as they were sent. */
async function assertAllKept(engine: Engine, messages: readonly string[]): Promise<void> {
  await using house = await openTestHouse({ engine, rooms: ['guestbook'], config: behind_proxy });
  const book = bookOf(house);
  const agents = await book.join(Math.min(100, messages.length));
  await writeAll(house, book, agents, messages);
  const kept = await book.visible();
  assert.deepEqual(
    kept.map(({ message }) => message),
    messages,
  );
}

/** Has the agents write the messages in order, each agent one a day. */
async function writeAll(
  house: TestHouse,
  book: Book,
  agents: readonly TestAgent[],
  messages: readonly string[],
): Promise<void> {
  for (const [index, message] of messages.entries()) {
    const agent = agents[index % agents.length];
    assert.ok(agent);
    if (index > 0 && index % agents.length === 0) house.clock.advance(day_ms);
    const answer = await book.write(agent, message);
    assert.equal(answer.status, 201, `${JSON.stringify(message)}: ${answer.text}`);
  }
}

forOneEngine((engine) => {
  test('a message of 1 and of 280 code points passes, whatever their size, of 0 and 281 not [BOOK-049] [BOOK-050] [BOOK-051]', async () => {
    const units = ['a', ' ', 'é', '名', '😀', 'e\u0301'];
    const of = (unit: string, count: number) => [...unit.repeat(count)].slice(0, count).join('');
    await assertAllKept(
      engine,
      units.flatMap((unit) => [of(unit, 1), of(unit, 280)]),
    );
    await assertAllRefused(engine, ['', ...units.map((unit) => of(unit, 281)), 'a'.repeat(10_000)]);
  });

  test('no control, no line end and no line separator is one line of plain text, at any place [BOOK-052] [BOOK-053] [BOOK-054]', async () => {
    const lines = ['a\nb', 'a\rb', 'a\r\nb', '\na', 'a\n', 'a\r', 'a\u2028', '\u2029a', '\n'];
    const controls = charactersOf('0-1F 7F-9F 2028-2029');
    assert.equal(controls.length, 32 + 33 + 2);
    await assertAllRefused(engine, [...lines, ...controls.map((one) => `a${one}b`), ...controls]);
  });

  test('no bidi control passes; right-to-left letters need none [BOOK-055]', async () => {
    const bidi = charactersOf('61C 200E-200F 202A-202E 2066-2069');
    assert.equal(bidi.length, 12);
    await assertAllRefused(
      engine,
      bidi.flatMap((one) => [`a${one}b`, `${one}שלום`]),
    );
    await assertAllKept(engine, ['שלום עולם', 'مرحبا بالعالم', 'a mixed שלום line']);
  });

  test('no zero-width and no other invisible character passes, in emoji either; their neighbours do [BOOK-056] [BOOK-057] [BOOK-058]', async () => {
    const edges =
      'AD 34F 115F-1160 17B4-17B5 180B-180F 200B-200D 2060-2065 206A-206F 3164 FE00-FE0D FEFF FFA0 ' +
      'FFF0-FFFB 1BCA0-1BCA3 1D173-1D17A E0000-E0001 E0020 E0041 E007F E0100 E01EF E0FFF';
    const invisible = charactersOf(edges);
    const joined = ['👩\u200d🚀', '🏴\u{e0067}\u{e0062}\u{e007f}', '👨\u200d👩\u200d👧'];
    await assertAllRefused(engine, [...invisible.map((one) => `a${one}b`), ...joined]);
    const neighbours =
      'AC AE 34E 350 115E 1161 17B3 17B6 180A 1810 2010 202F 205F 3163 3165 FE0E-FE0F FE10 FF9F FFA1 ' +
      'FFFC-FFFD 1BC9F 1D172 1D17B DFFFF E1000 E000 10FFFF A0 2003 3000 301';
    const passing = charactersOf(neighbours).map((one) => `a${one}b`);
    await assertAllKept(engine, [
      ...passing,
      '❤\ufe0f',
      '👍🏽',
      '🇪🇺',
      'e\u0301a\u0308',
      'Z\u0351\u034b\u0343algo',
    ]);
  });

  test('no angle bracket passes, alone or as a tag; other brackets do [BOOK-059]', async () => {
    await assertAllRefused(engine, ['<', '>', 'a < b', '1>0', '<b>', '</b>', '->', '<3', 'a&lt;<']);
    await assertAllKept(engine, ['‹a› «b» 〈c〉 ＜d＞ [e] {f} (g)', '&lt;b&gt; &amp; &#60;']);
  });

  test('no URL passes: any scheme, www, known schemes, bare hosts, hosts with paths, IPv4 with more, in any disguise of letters [BOOK-060] [BOOK-061] [BOOK-062] [BOOK-063] [BOOK-064] [BOOK-065] [BOOK-066]', async () => {
    const schemes = ['http', 'https', 'ftp', 'mailto', 'javascript', 'vbscript', 'data', 'tel'];
    const endings =
      'com net org edu gov biz io ai dev app xyz co gg tv ly uk de fr nl eu ru cn jp br onion';
    await assertAllRefused(engine, [
      '://',
      'see foo://bar',
      'HTTPS://EXAMPLE',
      'hTTp://a',
      'https：／／example',
      'www.a',
      'WWW.Example',
      'go to www.9',
      'ｗｗｗ．ａ',
      ...schemes.flatMap((scheme) => [
        `${scheme}:x`,
        `say ${scheme.toUpperCase()}:x`,
        `(${scheme}:x`,
      ]),
      ...endings.split(' ').flatMap((end) => [`a.${end}`, `is A.${end.toUpperCase()}, yes`]),
      'user@example.net',
      'Example.COM.',
      '"example.com"',
      'a-.io',
      'youtu.be/abc',
      'пример.рф/стр',
      'a.bc/d',
      'ａ.ｂｃ/d',
      '10.0.0.1:8080',
      '192.168.0.1/admin',
      '999.999.999.999:1',
      'ｅｘａｍｐｌｅ．ｃｏｍ',
      'example。com',
      'example．com',
      'ex𝒂mple.𝐜𝐨𝐦',
      'EXAMPLE。COM/x',
    ]);
  });

  test('what is no URL passes, near misses among them [BOOK-062] [BOOK-065] [BOOK-067]', async () => {
    await assertAllKept(engine, [
      'Node.js',
      'README.md',
      'v1.2.3',
      'e.g. this',
      'and/or',
      '3:1',
      '.com boom',
      'http: a word, https: another, mailto: and data: too',
      'mydata:x metadata:y x-data:z',
      'www. and www.',
      '192.168.0.1',
      '1.2.3.4 and 10.0.0.1.',
      '1.2.3.4.5:6',
      'example.comet',
      'example.com_x',
      'a.b /c',
      'a.b/ c',
      'It ended.It began',
      ': // and :/ /',
      'example[.]com',
      'a.museum',
    ]);
  });

  test('a message is kept code point for code point: no trimming, folding, normalising or escaping [BOOK-014] [BOOK-015] [BOOK-068]', async () => {
    await assertAllKept(engine, [
      '  outer  and   doubled  ',
      ' ',
      'café',
      'cafe\u0301',
      '\u212b \u00c5 A\u030a',
      'ﬁ ① Ⅳ ｆｕｌｌ',
      '"quoted" \\back\\slash\\ \\u00e9 \\n / & \' ` $ %20 %s {} --',
      "'; drop table guestbook_entry; --",
      '\\',
      '"',
      '&amp;&quot;&#39;',
      'İstanbul ıı ß ẞ',
      'null',
      '0',
      '😀 𝒳 \u{10ffff}',
      '\ufffd',
      'constructor __proto__',
    ]);
  });

  test('lone and reversed surrogates are 400 before any signature is looked at [BOOK-069]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
    const book = bookOf(house);
    const agent = makeAgent('half a letter');
    await book.register(agent.registration());
    const body = JSON.stringify(agent.post({ date: book.today(), message: 'HERE' }));
    const forged = JSON.stringify({ ...JSON.parse(body), signature: makeAgent('x').sign('x') });
    for (const half of ['\\ud800', '\\udfff', '\\ude00\\ud83d', '\\ud83d', 'a\\ud83dx\\ude00']) {
      for (const sent of [body, forged]) {
        const answer = await book.post(sent.replace('HERE', half));
        assertRefused(answer, bad, { about: 'message', what: half });
      }
      for (const field of ['agent', 'date', 'signature']) {
        const line = agent.post({ date: book.today(), message: 'A line' });
        const broken = JSON.stringify({ ...line, [field]: 'HERE' });
        const answer = await book.post(broken.replace('"HERE"', `"${half}"`));
        assertRefused(answer, bad, { about: field, what: half });
      }
    }
    // A whole pair, spelt as escapes, is the letter that it stands for.
    const pair = agent.post({ date: book.today(), message: '😀' });
    assert.equal(
      (await book.post(JSON.stringify(pair).replace('😀', '\\ud83d\\ude00'))).status,
      201,
    );
    assert.equal((await book.visible())[0]?.message, '😀');
  });

  test('any message of allowed characters survives as it was signed, whatever it holds [BOOK-058] [BOOK-068] [BOOK-085]', async () => {
    const units = fc.constantFrom('binary', 'grapheme', 'grapheme-ascii');
    const texts = units.chain((unit) => fc.string({ unit, minLength: 1, maxLength: 280 }));
    const allowed = texts.filter((text) => messageComplaint(text) === undefined);
    const messages = fc.sample(allowed, { numRuns: 150, seed: 1_968 });
    await assertAllKept(engine, messages);
  });

  test('no JSON that anybody sends as a body makes the house fail [BOOK-137] [BOOK-138]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
    const book = bookOf(house);
    const agent = makeAgent('sends anything');
    await book.register(agent.registration());
    const valid = agent.post({ date: '2020-01-01', message: 'A line' });
    const anything = fc.jsonValue({ maxDepth: 3 });
    const fields = ['agent', 'date', 'message', 'signature', 'name', 'publicKey', '__proto__'];
    const spoilt = fc
      .tuple(fc.constantFrom(...fields), anything)
      .map(([field, value]) => ({ ...valid, ...agent.registration('no'), [field]: value }));
    await fc.assert(
      fc.asyncProperty(fc.oneof(anything, spoilt), async (body) => {
        const text = JSON.stringify(body);
        const answers = [await book.post(text), await book.register(text)];
        for (const outcome of Object.keys(countOutcomes(answers))) {
          assert.match(outcome, /^(400 invalid-request|401 bad-signature)$/, text);
        }
      }),
      { numRuns: 150, seed: 1_968 },
    );
    const query = fc.tuple(
      fc.constantFrom('after', 'limit', 'x', '__proto__'),
      fc.oneof(fc.string({ unit: 'binary' }), fc.integer().map(String), fc.double().map(String)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(query, { maxLength: 3 }), async (pairs) => {
        const answer = await book.entries(`?${new URLSearchParams(pairs)}`);
        if (answer.status !== 200) assertRefused(answer, bad);
      }),
      { numRuns: 100, seed: 1_968 },
    );
    assertRefused(await book.entries('?after=%00'), bad, { about: 'after' });
    assertRefused(await book.entries('?limit=%ff%zz'), bad, { about: 'limit' });
  });
});
