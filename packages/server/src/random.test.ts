import assert from 'node:assert/strict';
import { test } from 'node:test';
import { system_random } from './random.ts';

test('system_random gives octets once, of every length, and keeps none that it gave', () => {
  const seen = new Set<string>();
  for (let nth = 0; nth < 2_000; nth += 1) {
    const length = 16 + (nth % 120);
    const octets = system_random.bytes(length);
    assert.equal(octets.length, length);
    // What a caller does to its own octets is its own affair.
    const before = octets.toString('hex');
    system_random.bytes(16);
    assert.equal(octets.toString('hex'), before);
    seen.add(before.slice(0, 32));
    octets.fill(0);
  }
  assert.equal(seen.size, 2_000);
  assert.equal(system_random.bytes(0).length, 0);
});
