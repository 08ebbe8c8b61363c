import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTurnstile } from './turnstile.ts';

test('tasks of one name run one after the other, also after one that fails', async () => {
  const inTurn = openTurnstile();
  const log: string[] = [];
  const task = (name: string) => async () => {
    log.push(`${name} begins`);
    await new Promise((resolve) => setTimeout(resolve, 1));
    log.push(`${name} ends`);
    if (name === 'first') throw new Error('failed');
    return name;
  };
  const outcomes = await Promise.allSettled([
    inTurn('a', task('first')),
    inTurn('a', task('second')),
    inTurn('b', task('other')),
  ]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'fulfilled', 'fulfilled'],
  );
  assert.deepEqual(
    log.filter((line) => !line.startsWith('other')),
    ['first begins', 'first ends', 'second begins', 'second ends'],
  );
  assert.ok(log.indexOf('other begins') < log.indexOf('first ends'));
});
