import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orAborted, sleep } from './sleep.ts';

test('sleep lasts its time, or until it is told to stop', async () => {
  await sleep(1);
  const enough = new AbortController();
  const sleeping = sleep(60_000, enough.signal);
  enough.abort(new Error('enough'));
  await assert.rejects(sleeping, /enough/);
  await assert.rejects(sleep(60_000, enough.signal), /enough/);
});

test('orAborted passes on what comes first, and lets go of the signal', async () => {
  const { signal } = new AbortController();
  assert.equal(await orAborted(Promise.resolve(1), signal), 1);
  assert.equal(await orAborted(Promise.resolve(2), undefined), 2);
  await assert.rejects(orAborted(Promise.reject(new Error('failed')), signal), /failed/);
});
