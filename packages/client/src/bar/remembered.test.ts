import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Remembered, remember } from './remembered.ts';

test('remember forgets what was set longest ago, and keeps what is set again', () => {
  const memory = remember<number>(2);
  memory.set('a', 1);
  memory.set('b', 2);
  memory.set('a', 3);
  memory.set('c', 4);
  assert.deepEqual(
    ['a', 'b', 'c'].map((name) => memory.get(name)),
    [3, undefined, 4],
  );
});

test('a Map is a memory', () => {
  const memory: Remembered<string> = new Map([['a', 'b']]);
  assert.equal(memory.get('a'), 'b');
});
