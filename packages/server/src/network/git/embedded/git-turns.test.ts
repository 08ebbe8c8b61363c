import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openGitTurns } from './git-turns.ts';

const { signal } = new AbortController();
const ample = { at_once: 100, waiting: 100 };

test('so many have a turn at once, so many wait, and further ones are turned away', async () => {
  const turns = openGitTurns({ all: { at_once: 2, waiting: 1 }, one: ample });
  const first = await turns.take('ada', signal);
  const second = await turns.take('ada', signal);
  assert.ok(first && second);
  const third = turns.take('ada', signal);
  assert.equal(await turns.take('ada', signal), undefined);
  first();
  // Given back twice it is still one.
  first();
  const turn = await third;
  assert.ok(turn);
  const fourth = turns.take('ada', signal);
  second();
  assert.ok(await fourth);
  const fifth = turns.take('ada', signal);
  assert.equal(await turns.take('ada', signal), undefined);
  turn();
  assert.ok(await fifth);
});

test('who goes away while waiting leaves the place to the next', async () => {
  const turns = openGitTurns({ all: { at_once: 1, waiting: 1 }, one: ample });
  const first = await turns.take('ada', signal);
  const gone = new AbortController();
  const second = turns.take('ada', gone.signal);
  gone.abort();
  assert.equal(await second, undefined);
  const third = turns.take('ada', signal);
  first?.();
  assert.ok(await third);
  assert.equal(await turns.take('ada', gone.signal), undefined);
});

test('one client takes and waits for a part of the turns alone', async () => {
  const turns = openGitTurns({
    all: { at_once: 3, waiting: 2 },
    one: { at_once: 2, waiting: 1 },
  });
  const first = await turns.take('ada', signal);
  assert.ok(first && (await turns.take('ada', signal)));
  const waits = turns.take('ada', signal);
  assert.equal(await turns.take('ada', signal), undefined);
  const other = await turns.take('bob', signal);
  assert.ok(other);
  const other_waits = turns.take('bob', signal);
  assert.equal(await turns.take('carol', signal), undefined);
  // The turn that comes back is for who may have it, not for who has waited longest.
  other();
  assert.ok(await other_waits);
  first();
  assert.ok(await waits);
});
