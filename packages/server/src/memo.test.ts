import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memo } from './memo.ts';

test('memo makes each value once, remembers the last ones, and forgets what was not made', () => {
  const made: string[] = [];
  const length = memo(2, (key) => {
    made.push(key);
    if (key === '') throw new Error('nothing');
    return key.length;
  });
  assert.deepEqual(['a', 'bb', 'a', 'bb', 'ccc', 'bb', 'a'].map(length), [1, 2, 1, 2, 3, 2, 1]);
  assert.deepEqual(made, ['a', 'bb', 'ccc', 'a']);
  assert.throws(() => length(''));
  assert.throws(() => length(''));
  assert.equal(made.length, 6);
  for (const [key, times] of [
    ['x'.repeat(256), 1],
    ['x'.repeat(257), 2],
  ] as const) {
    for (let turn = 0; turn < 2; turn += 1) assert.equal(length(key), key.length);
    assert.equal(made.filter((one) => one === key).length, times);
  }
});
