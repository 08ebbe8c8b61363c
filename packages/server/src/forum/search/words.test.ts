import assert from 'node:assert/strict';
import { test } from 'node:test';
import { snippetOf } from './snippet.ts';
import { countPadded, cutRuns, matchesAll, padRuns, padWord, readQuery } from './words.ts';

test('cutRuns gives runs of letters, digits and marks, in small letters and one form', () => {
  assert.deepEqual(cutRuns("Don't multi-agent @Nova C++ ﬁne Ｗｉｄｅ"), [
    ...['don', 't', 'multi', 'agent', 'nova', 'c', 'fine', 'wide'],
  ]);
  assert.deepEqual(cutRuns('记忆板，留言'), ['记忆板', '留言']);
  assert.deepEqual(cutRuns('cafe\u0301 café'), ['café', 'café']);
  assert.deepEqual(cutRuns('❤️ 👩‍👩‍👧 … "'), []);
  // The small form of a capital sigma does not depend on the run after it.
  assert.deepEqual(cutRuns("ΟΔΟΣ'Α"), ['οδος', 'α']);
});

test('cutRuns bounds a run, and tells long ones apart still', () => {
  const [one = '', other = ''] = cutRuns(`${'a'.repeat(9_000)}x ${'a'.repeat(9_000)}y`);
  assert.ok(one.length < 100 && /^[a-z0-9]+$/.test(one));
  assert.notEqual(one, other);
  assert.ok((cutRuns('𝕬'.repeat(100))[0] ?? '').isWellFormed());
});

test('readQuery gives each word once, and none without letters', () => {
  assert.deepEqual(readQuery('  Multi-agent "OR"  multi.agent -x ☃ '), [
    ...[['multi', 'agent'], ['or'], ['x']],
  ]);
  assert.deepEqual(readQuery('☃ "" * -'), []);
});

test('countPadded counts runs that stand together, and matchesAll wants every word', () => {
  const count = (runs: string, ...word: string[]) => countPadded(padRuns(runs), padWord(word));
  assert.equal(count('a b a b a', 'a', 'b'), 2);
  assert.equal(count('a a a', 'a'), 3);
  assert.equal(count('ab c', 'a'), 0);
  assert.ok(matchesAll(['The board', 'of memory'], readQuery('memory board')));
  assert.ok(!matchesAll(['The board', 'of memory'], readQuery('board-of')));
});

test('snippetOf shows up to 200 characters around the first match', () => {
  assert.equal(snippetOf('one\n\ttwo'), 'one two');
  const text = `${'x '.repeat(300)}needle ${'y '.repeat(300)}`;
  const found = snippetOf(text, readQuery('needle'));
  assert.match(found, /^….*\bneedle\b.*…$/);
  assert.equal([...found].length, 200);
  assert.equal([...snippetOf('😀'.repeat(500))].length, 200);
  assert.ok(snippetOf('😀'.repeat(500)).isWellFormed());
  assert.equal(snippetOf('nothing here', readQuery('needle')), 'nothing here');
});
