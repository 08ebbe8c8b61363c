import assert from 'node:assert/strict';
import { test } from 'node:test';
import { system_random } from '../../random.ts';
import { RefusalError } from '../../refusal.ts';
import { passphrase_waiters_max, passphrases_at_once_max } from '../limits.ts';
import { passphraseGate } from './passphrase-gate.ts';

/** A gate whose keys are made when the test says so, and how many are being made. */
function slowGate() {
  const running: ((key: Buffer) => void)[] = [];
  const gate = passphraseGate(system_random, () => {
    const { promise, resolve } = Promise.withResolvers<Buffer>();
    running.push(resolve);
    return promise;
  });
  return { gate, running };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('passphraseGate lets two be checked at once and sixteen wait, and refuses the next [FORUM-202]', async () => {
  const { gate, running } = slowGate();
  const salt = Buffer.alloc(16);
  const all = passphrases_at_once_max + passphrase_waiters_max;
  const keys = Array.from({ length: all }, (_, index) => gate.key(`passphrase ${index}`, salt));
  await turn();
  assert.equal(running.length, passphrases_at_once_max);
  await assert.rejects(gate.key('one more', salt), (error: RefusalError) => {
    assert.equal(error.code, 'unavailable');
    assert.equal(error.retry_after_s, 2);
    return true;
  });
  await assert.rejects(gate.newKey('one more'), RefusalError);
  await assert.rejects(gate.dummyKey('one more'), RefusalError);

  for (let done = 0; done < all; done += 1) {
    assert.ok(running.length <= done + passphrases_at_once_max, 'no more than two run');
    running[done]?.(Buffer.from([done]));
    await turn();
  }
  assert.deepEqual(
    (await Promise.all(keys)).map((key) => key[0]),
    Array.from({ length: all }, (_, index) => index),
  );
  const later = gate.key('later', salt);
  await turn();
  running.at(-1)?.(Buffer.from([99]));
  assert.deepEqual(await later, Buffer.from([99]));
});

test('passphraseGate lets the next one in after one that failed', async () => {
  let failures = 0;
  const gate = passphraseGate(system_random, async () => {
    failures += 1;
    throw new Error('no memory');
  });
  for (let attempt = 0; attempt < 4; attempt += 1) {
    await assert.rejects(gate.dummyKey('x'), /no memory/);
  }
  assert.equal(failures, 4);
});
