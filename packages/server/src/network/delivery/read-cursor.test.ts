import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beyond_exact } from '../../read-whole-number.ts';
import { readCursor } from './read-cursor.ts';

test('readCursor reads a seq, and says again the number that was sent', () => {
  assert.deepEqual(readCursor(), { after: 0, said: 0 });
  for (const [text, after, said] of [
    ['0', 0, '0'],
    ['007', 7, '7'],
    ['9007199254740991', Number.MAX_SAFE_INTEGER, '9007199254740991'],
    ['9007199254740992', beyond_exact, '9007199254740992'],
    ['9007199254740993', beyond_exact, '9007199254740993'],
    [`000${'9'.repeat(40)}`, beyond_exact, '9'.repeat(40)],
  ] as const) {
    const cursor = readCursor(text);
    assert.equal(cursor.after, after);
    assert.equal(JSON.stringify(cursor.said), said);
  }
});
