import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from './clock.ts';
import { MovableClock } from './movable-clock.ts';

/** A clock that has gone on by a millisecond whenever it is read. */
function hastyClock(): Clock {
  let now = 1_000;
  return { now: () => now++, after: () => () => {} };
}

test('MovableClock stands at its start however fast the clock below it goes', () => {
  const clock = new MovableClock(hastyClock(), { start: 5_000, stopped: true });
  assert.equal(clock.now(), 5_000);
  assert.equal(clock.now(), 5_000);
  clock.advance(7);
  assert.equal(clock.now(), 5_007);
});

test('MovableClock goes on from where it stood, and never back', () => {
  const clock = new MovableClock(hastyClock(), { start: 5_000, stopped: true });
  clock.resume();
  const resumed = clock.now();
  assert.ok(resumed > 5_000 && resumed < 5_010);
  clock.stop();
  const stopped = clock.now();
  assert.ok(stopped > resumed);
  assert.equal(clock.now(), stopped);
  assert.throws(() => clock.advance(-1), RangeError);
});
