import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitWords } from './wait-words.ts';

test('waitWords names the unit that fits, and never too short a time', () => {
  for (const [seconds, words] of [
    [1, '1 second'],
    [99, '99 seconds'],
    [100, '2 minutes'],
    [3_480, '58 minutes'],
    [5_999, '100 minutes'],
    [6_000, '2 hours'],
    [86_400, '24 hours'],
    [172_800, '2 days'],
    [604_799, '7 days'],
  ] as const) {
    assert.equal(waitWords(seconds), words);
  }
});
