import assert from 'node:assert/strict';
import { test } from 'node:test';
import { system_random } from '../../random.ts';
import { newMessageId } from './new-id.ts';

test('ids of messages are ordered like the instants at which they were made, and differ within one', () => {
  const instants = [1, 63, 64, 65, 4_095, 4_096, 1_790_000_000_000, 1_790_000_000_001, 2 ** 48 - 1];
  const ids = instants.map((now) => newMessageId(system_random, now));
  assert.deepEqual(ids.toSorted(), ids);
  for (const id of ids) assert.match(id, /^msg_[A-Za-z0-9_-]{22}$/);
  assert.equal(
    new Set(Array.from({ length: 100 }, () => newMessageId(system_random, 7))).size,
    100,
  );
});
