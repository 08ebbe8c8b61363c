import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import ledger from '../../../../protocol/guestbook/vectors/ledger.json' with { type: 'json' };
import { messageComplaint } from './message-complaint.ts';

/** What the complaint must say, by the start of the case's id. */
const expected_words: readonly [id_start: string, words: RegExp][] = [
  ['M-EMPTY', /^has 0 characters; 1 to 280 are allowed$/],
  ['M-281', /^has 281 characters; 1 to 280 are allowed$/],
  ['M-CTRL', /^holds U\+00[0-9A-F]{2}, a control character, which is not allowed$/],
  ['M-CRLF', /^holds U\+000D, a control character/],
  ['M-LINE', /^holds U\+202[89], a line separator/],
  ['M-BIDI', /^holds U\+[0-9A-F]{4}, a bidi control/],
  ['M-ZW', /^holds U\+[0-9A-F]{4,5}, a zero-width or otherwise invisible character/],
  ['M-LT', /^holds U\+003C, an angle bracket/],
  ['M-GT', /^holds U\+003E, an angle bracket/],
  ['M-TAG', /^holds U\+003C, an angle bracket/],
  ['M-URL', /^holds a URL, which is not allowed: “\S+”$/],
  ['M-SURR', /^holds a lone surrogate/],
];

test('messageComplaint lets every message of the vectors pass [BOOK-058] [BOOK-067] [BOOK-071]', () => {
  assert.notEqual(ledger.posts.length, 0);
  for (const { id, message, characters, utf16Units, utf8Bytes } of ledger.posts) {
    assert.equal(messageComplaint(message), undefined, id);
    assert.equal([...message].length, characters, id);
    assert.equal(message.length, utf16Units, id);
    assert.equal(Buffer.byteLength(message), utf8Bytes, id);
  }
});

test('messageComplaint refuses every bad message of the vectors, in plain words [BOOK-054] [BOOK-055] [BOOK-056] [BOOK-057] [BOOK-059] [BOOK-071]', () => {
  const seen = new Set<string>();
  for (const { id, body, bodyText } of ledger.refused.posts) {
    const [id_start, words] = expected_words.find(([start]) => id.startsWith(start)) ?? [];
    if (id_start === undefined || words === undefined) continue;
    seen.add(id_start);
    const { message } = body ?? JSON.parse(bodyText ?? '');
    assert.ok(typeof message === 'string');
    assert.match(messageComplaint(message) ?? '', words, id);
  }
  assert.deepEqual([...seen].toSorted(), expected_words.map(([start]) => start).toSorted());
});

test('messageComplaint counts code points, 1 to 280 [BOOK-049] [BOOK-050] [BOOK-051]', () => {
  for (const character of ['a', 'é', '😀']) {
    assert.equal(messageComplaint(character), undefined);
    assert.equal(messageComplaint(character.repeat(280)), undefined);
    assert.match(messageComplaint(character.repeat(281)) ?? '', /^has 281 characters/);
  }
});

test('messageComplaint refuses the forbidden code points at any place, and no others [BOOK-052] [BOOK-053]', () => {
  const forbidden =
    '0-1F 3C 3E 7F-9F AD 34F 61C 115F-1160 17B4-17B5 180B-180F 200B-200F 2028-202E 2060-206F ' +
    '3164 FE00-FE0D FEFF FFA0 FFF0-FFFB 1BCA0-1BCA3 1D173-1D17A E0000-E0FFF';
  const ranges = forbidden.split(' ').map((range) => {
    const [from = 0, to = from] = range.split('-').map((hex) => Number.parseInt(hex, 16));
    return { from, to };
  });
  assert.notEqual(ranges.length, 0);
  for (let code_point = 0; code_point <= 0x10ffff; code_point += 1) {
    if (code_point >= 0xd800 && code_point <= 0xdfff) continue;
    const is_forbidden = ranges.some(({ from, to }) => from <= code_point && code_point <= to);
    const complaint = messageComplaint(`a${String.fromCodePoint(code_point)}`);
    assert.equal(complaint !== undefined, is_forbidden, `U+${code_point.toString(16)}`);
  }
});

test('messageComplaint quotes the whole word around a URL, cut where it is long [BOOK-060] [BOOK-066]', () => {
  const quoted = (message: string) => /“(.*)”$/u.exec(messageComplaint(message) ?? '')?.[1];
  assert.equal(quoted('see HTTPS://Example.ORG/x, please'), 'https://example.org/x,');
  assert.equal(quoted('ｅｘａｍｐｌｅ．ｃｏｍ'), 'example.com');
  assert.equal(quoted(`a.com/${'b'.repeat(100)}`), `a.com/${'b'.repeat(54)}…`);
});

test('messageComplaint tells URLs from near misses [BOOK-061] [BOOK-062] [BOOK-063] [BOOK-064] [BOOK-065] [BOOK-067]', () => {
  const urls = [
    'www.a',
    'http:x',
    'a.com',
    'A.CoM.',
    'x.de,',
    'youtu.be/abc',
    '1.2.3.4:5',
    '1.2.3.4/',
  ];
  const near_misses = [
    ...['www. a', 'http: x', 'a.com_b', 'a.com-b', 'a.comx', '.com', 'youtu.be', '1.2.3.4'],
    ...['1.2.3.4.5:6', 'xhttp:y', 'Node.js', 'and/or', '3:1', 'e.g. this'],
  ];
  assert.notEqual(urls.length * near_misses.length, 0);
  for (const url of urls) assert.notEqual(messageComplaint(url), undefined, url);
  for (const text of near_misses) assert.equal(messageComplaint(text), undefined, text);
});

test('messageComplaint never throws, and refuses what is not well-formed first [BOOK-069]', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.boolean(), (text, is_spoilt) => {
      const message = is_spoilt ? `${text}\ud800<` : text;
      const complaint = messageComplaint(message);
      assert.equal(complaint?.includes('lone surrogate') ?? false, !message.isWellFormed());
    }),
  );
});
