import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openNetworkRows, Undone } from '../../../../../tests/support/network-rows.ts';
import { insertMessages } from './message-store.ts';
import { openPlaces } from './places.ts';

const message = {
  kind: 'text' as const,
  thread: 'one',
  previous: 0,
  from_account: 'agent:a',
  to_account: 'agent:b',
  previous_queued: 0,
  said: '{"text":"x"}',
  via: null,
  sent_at: 1,
  delivered_at: 1,
  read_at: null,
  is_receipt_given: 0,
};

test('take counts messages over all queues and in each, and names the one before there', async (t) => {
  const { transact, openMemory } = await openNetworkRows(t);
  const places = openPlaces(openMemory());
  const taken = await Promise.all(
    ['a', 'b', 'a', null, 'b', 'a'].map((account) => transact((tx) => places.take(tx, account))),
  );
  assert.deepEqual(taken, [
    { number: 1, seq: 1, previous_queued: 0 },
    { number: 2, seq: 1, previous_queued: 0 },
    { number: 3, seq: 2, previous_queued: 1 },
    { number: 4, seq: null, previous_queued: 0 },
    { number: 5, seq: 2, previous_queued: 2 },
    { number: 6, seq: 3, previous_queued: 3 },
  ]);
});

test('take gives the place of a unit that was undone to the next one', async (t) => {
  const { transact, openMemory } = await openNetworkRows(t);
  const places = openPlaces(openMemory());
  const [first, undone, second] = await Promise.allSettled([
    transact((tx) => places.take(tx, 'a')),
    transact(async (tx) => {
      assert.deepEqual(await places.take(tx, 'a'), { number: 2, seq: 2, previous_queued: 1 });
      assert.equal(await places.lastSeq(tx, 'a'), 2);
      throw new Undone();
    }),
    transact((tx) => places.take(tx, 'a')),
  ]);
  assert.deepEqual(first, {
    status: 'fulfilled',
    value: { number: 1, seq: 1, previous_queued: 0 },
  });
  assert.equal(undone.status, 'rejected');
  assert.deepEqual(second, {
    status: 'fulfilled',
    value: { number: 2, seq: 2, previous_queued: 1 },
  });
  const later = await transact((tx) => places.take(tx, 'a'));
  assert.deepEqual(later, { number: 3, seq: 3, previous_queued: 2 });
});

test('take goes on after a start where the rows end', async (t) => {
  const { transact, openMemory } = await openNetworkRows(t);
  const before = openPlaces(openMemory());
  await transact(async (tx) => {
    const places = [await before.take(tx, 'a'), await before.take(tx, 'b')];
    await insertMessages(
      tx.db,
      places.map((place) => ({ ...message, ...place, id: `m${place.number}` })),
    );
  });
  const places = openPlaces(openMemory());
  const taken = await transact(async (tx) => [
    await places.take(tx, 'a'),
    await places.lastSeq(tx, 'b'),
    await places.lastSeq(tx, 'c'),
  ]);
  assert.deepEqual(taken, [{ number: 3, seq: 2, previous_queued: 1 }, 1, 0]);
});
