import assert from 'node:assert/strict';
import { test } from 'node:test';
import { system_random } from './random.ts';
import { box_overhead_bytes, deriveKey, seal, unseal } from './sealed-box.ts';

const key = deriveKey(Buffer.alloc(32, 1), 'test');
const text = Buffer.from('nobody reads this');

test('unseal gives back what seal closed, however long, and two boxes of one text differ', () => {
  for (const length of [0, 1, 24_576]) {
    const long = Buffer.alloc(length, 'x');
    const box = seal(system_random, key, 'row 1', long);
    assert.equal(box.length, length + box_overhead_bytes);
    assert.deepEqual(unseal(key, 'row 1', box), long);
    assert.notDeepEqual(seal(system_random, key, 'row 1', long), box);
  }
});

test('unseal opens nothing with another key, for another place, or with one bit changed', () => {
  const box = seal(system_random, key, 'row 1', text);
  assert.equal(unseal(deriveKey(Buffer.alloc(32, 1), 'other'), 'row 1', box), undefined);
  assert.equal(unseal(key, 'row 2', box), undefined);
  assert.equal(unseal(key, 'row 1', box.subarray(0, -1)), undefined);
  assert.equal(unseal(key, 'row 1', Buffer.alloc(0)), undefined);
  for (let at = 0; at < box.length; at += 1) {
    const changed = Buffer.from(box);
    changed[at] = (changed[at] ?? 0) ^ 1;
    assert.equal(unseal(key, 'row 1', changed), undefined, `byte ${at}`);
  }
});

test('deriveKey makes the key of RFC 5869, and another for each label and salt', () => {
  const secret = Buffer.alloc(22, 0x0b);
  // Test case 3, of whose output these are the first 32 bytes.
  assert.equal(
    deriveKey(secret, '').toString('hex'),
    '8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d',
  );
  const keys = [
    deriveKey(secret, 'a'),
    deriveKey(secret, 'b'),
    deriveKey(secret, 'a', Buffer.from('salt')),
  ];
  assert.equal(new Set(keys.map((each) => each.toString('hex'))).size, keys.length);
});
