import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openNetworkRows, Undone } from '../../../../../tests/support/network-rows.ts';
import { insertMessages } from './message-store.ts';
import { openPlaces } from './places.ts';
import { insertThread } from './thread-store.ts';

const message = { from_account: 'agent:a', to_account: 'agent:b', seq: 1, read_at: null };

test('take counts messages over all threads, and names the one before in the same thread', async (t) => {
  const { transact, openMemory } = await openNetworkRows(t);
  const places = openPlaces(openMemory());
  const taken = await Promise.all(
    ['one', 'one', 'other', 'one', 'other'].map((thread) =>
      transact((tx) => places.take(tx, thread)),
    ),
  );
  assert.deepEqual(taken, [
    { number: 1, previous: 0 },
    { number: 2, previous: 1 },
    { number: 3, previous: 0 },
    { number: 4, previous: 2 },
    { number: 5, previous: 3 },
  ]);
});

test('take gives the place of a unit that was undone to the next one', async (t) => {
  const { transact, openMemory } = await openNetworkRows(t);
  const places = openPlaces(openMemory());
  const [first, undone, second] = await Promise.allSettled([
    transact((tx) => places.take(tx, 'one')),
    transact(async (tx) => {
      assert.deepEqual(await places.take(tx, 'one'), { number: 2, previous: 1 });
      throw new Undone();
    }),
    transact((tx) => places.take(tx, 'one')),
  ]);
  assert.deepEqual(first, { status: 'fulfilled', value: { number: 1, previous: 0 } });
  assert.equal(undone.status, 'rejected');
  assert.deepEqual(second, { status: 'fulfilled', value: { number: 2, previous: 1 } });
  const later = await transact((tx) => places.take(tx, 'one'));
  assert.deepEqual(later, { number: 3, previous: 2 });
});

test('take goes on after a start where the rows end', async (t) => {
  const { transact, openMemory } = await openNetworkRows(t);
  await transact(async ({ db }) => {
    const marks = { is_receipt_given: 0, is_unseen: 0 };
    await insertMessages(db, [
      { ...message, ...marks, number: 4, id: 'm4', thread: 'one', previous: 0 },
      { ...message, ...marks, number: 5, id: 'm5', thread: 'other', previous: 0 },
    ]);
    const counts = { first_unread: 0, second_unread: 0, first_unseen: 0, second_unseen: 0 };
    await insertThread(db, {
      ...counts,
      id: 'one',
      first_account: 'agent:a',
      second_account: 'agent:b',
      created_at: 1,
      last_message_at: 1,
      last_number: 4,
      message_count: 1,
    });
  });
  const places = openPlaces(openMemory());
  const taken = await transact((tx) => places.take(tx, 'one'));
  assert.deepEqual(taken, { number: 6, previous: 4 });
});
