import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listsOf } from './lists-of.ts';

test('listsOf gives every value, in lists of few sizes', () => {
  for (const count of [0, 1, 3, 200, 256, 257, 600]) {
    const values = Array.from({ length: count }, (_, index) => index);
    const lists = [...listsOf(values)];
    assert.deepEqual([...new Set(lists.flat())], values);
    for (const { length } of lists) assert.ok(length <= 256 && Number.isInteger(Math.log2(length)));
  }
});
