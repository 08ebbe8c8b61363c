import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { matchesAll, readQuery } from '../search/words.ts';
import { noteMatcher } from './match-note.ts';

const pieces = [
  'don',
  "don't",
  't',
  'multi-agent',
  'agent',
  'mem',
  'Memory',
  'MEM*',
  '@nova',
  '"',
  ' ',
  '.',
  '_',
  '\n',
  'caf\u00e9',
  'cafe\u0301',
  '\u6771\u4eac',
  '\u212a',
  'K',
  '\u03a3\u03a3',
  '\u0130',
  'x'.repeat(65),
  'x'.repeat(64),
  '\u{1f980}',
  '\ufb01n',
];
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((list) => list.join(''));

test('noteMatcher finds what matchesAll finds, in whatever is written [FORUM-188] [FORUM-189]', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), text, (texts, query) => {
      const words = readQuery(query);
      assert.equal(noteMatcher(words)(texts), matchesAll(texts, words));
    }),
    { numRuns: 3_000 },
  );
});

test('noteMatcher wants every word, each in any of the texts, and whole [FORUM-188]', () => {
  const find = (query: string, ...texts: string[]) => noteMatcher(readQuery(query))(texts);
  assert.equal(find('memory board', 'memory/x', 'a board'), true);
  assert.equal(find('memory board', 'memory/x', 'a bored one'), false);
  assert.equal(find('mem', 'memory'), false);
  assert.equal(find('MEMORY', 'of Memory.'), true);
});
