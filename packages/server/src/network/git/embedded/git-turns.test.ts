import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openGitTurns } from './git-turns.ts';

const { signal } = new AbortController();

test('so many have a turn at once, so many wait, and further ones are turned away', async () => {
  const turns = openGitTurns({ at_once: 2, waiting: 1 });
  const first = await turns.take(signal);
  const second = await turns.take(signal);
  assert.ok(first && second);
  const third = turns.take(signal);
  assert.equal(await turns.take(signal), undefined);
  first();
  // Given back twice it is still one.
  first();
  const turn = await third;
  assert.ok(turn);
  const fourth = turns.take(signal);
  second();
  assert.ok(await fourth);
  const fifth = turns.take(signal);
  assert.equal(await turns.take(signal), undefined);
  turn();
  assert.ok(await fifth);
});

test('who goes away while waiting leaves the place to the next', async () => {
  const turns = openGitTurns({ at_once: 1, waiting: 1 });
  const first = await turns.take(signal);
  const gone = new AbortController();
  const second = turns.take(gone.signal);
  gone.abort();
  assert.equal(await second, undefined);
  const third = turns.take(signal);
  first?.();
  assert.ok(await third);
  assert.equal(await turns.take(gone.signal), undefined);
});
