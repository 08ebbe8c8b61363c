import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openNetworkRows, Undone } from '../../../../../tests/support/network-rows.ts';
import { insertMessages } from './message-store.ts';
import { openPlaces } from './places.ts';
import { insertThread } from './thread-store.ts';

const message = {
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

/** What a message takes that the account of its recipient never gets: no place in a queue. */
const unqueued = { seq: null, previous_queued: 0 };
const inThread = (thread: string) => ({ thread, to_account: null });

test('take counts messages over all threads, and names the one before in the same thread', async (t) => {
  const { transact, openMemory } = await openNetworkRows(t);
  const places = openPlaces(openMemory());
  const taken = await Promise.all(
    ['one', 'one', 'other', 'one', 'other'].map((thread) =>
      transact((tx) => places.take(tx, inThread(thread))),
    ),
  );
  assert.deepEqual(taken, [
    { number: 1, previous: 0, ...unqueued },
    { number: 2, previous: 1, ...unqueued },
    { number: 3, previous: 0, ...unqueued },
    { number: 4, previous: 2, ...unqueued },
    { number: 5, previous: 3, ...unqueued },
  ]);
});

test('take gives the place of a unit that was undone to the next one', async (t) => {
  const { transact, openMemory } = await openNetworkRows(t);
  const places = openPlaces(openMemory());
  const [first, undone, second] = await Promise.allSettled([
    transact((tx) => places.take(tx, inThread('one'))),
    transact(async (tx) => {
      assert.deepEqual(await places.take(tx, inThread('one')), {
        number: 2,
        previous: 1,
        ...unqueued,
      });
      throw new Undone();
    }),
    transact((tx) => places.take(tx, inThread('one'))),
  ]);
  assert.deepEqual(first, { status: 'fulfilled', value: { number: 1, previous: 0, ...unqueued } });
  assert.equal(undone.status, 'rejected');
  assert.deepEqual(second, { status: 'fulfilled', value: { number: 2, previous: 1, ...unqueued } });
  const later = await transact((tx) => places.take(tx, inThread('one')));
  assert.deepEqual(later, { number: 3, previous: 2, ...unqueued });
});

test('take goes on after a start where the rows end', async (t) => {
  const { transact, openMemory } = await openNetworkRows(t);
  await transact(async ({ db }) => {
    await insertMessages(db, [
      { ...message, seq: 1, number: 4, id: 'm4', thread: 'one', previous: 0 },
      { ...message, seq: 2, number: 5, id: 'm5', thread: 'other', previous: 0 },
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
  const taken = await transact((tx) => places.take(tx, inThread('one')));
  assert.deepEqual(taken, { number: 6, previous: 4, ...unqueued });
});

test('take gives places in queues without gaps, each naming the one before, also over a start and an undone unit', async (t) => {
  const { transact, openMemory } = await openNetworkRows(t);
  const take = (places: ReturnType<typeof openPlaces>, to_account: string | null) =>
    transact(async (tx) => {
      const { number, seq, previous_queued } = await places.take(tx, { thread: 'one', to_account });
      if (to_account === 'undone') throw new Undone();
      assert.equal(to_account && (await places.lastSeq(tx, to_account)), seq);
      return [number, seq, previous_queued];
    });
  const places = openPlaces(openMemory());
  const taken = await Promise.allSettled(
    ['a', 'b', 'undone', 'a', null, 'b', 'a'].map((account) => take(places, account)),
  );
  assert.deepEqual(
    taken.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
    [
      [1, 1, 0],
      [2, 1, 0],
      [3, 2, 1],
      [4, null, 0],
      [5, 2, 2],
      [6, 3, 3],
    ],
  );
  const started = openPlaces(openMemory());
  assert.equal((await take(started, 'a'))[1], 4);
  assert.equal((await take(started, 'undone').catch(() => [])).length, 0);
  assert.equal(await transact((tx) => started.lastSeq(tx, 'undone')), 0);
});
