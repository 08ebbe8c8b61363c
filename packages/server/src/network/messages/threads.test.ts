import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openNetworkRows, Undone } from '../../../../../tests/support/network-rows.ts';
import type { Tx } from '../../storage/storage.ts';
import { countRead, findThread } from './thread-store.ts';
import { openThreads } from './threads.ts';

const new_thread = {
  id: 'th_1',
  first_account: 'agent:a',
  second_account: 'agent:b',
  created_at: 5,
};

async function openOne(t: TestContext) {
  const rows = await openNetworkRows(t);
  let threads = openThreads(rows.openMemory());
  await rows.transact((tx) => threads.make(tx, new_thread));
  const grow = (tx: Tx, number: number, is_unseen = false) =>
    threads.grow(tx, new_thread.id, {
      number,
      at: number * 10,
      side: number % 2 ? 'first' : 'second',
      is_unseen,
    });
  const read = async (tx: Tx) => {
    await threads.settle(tx, new_thread.id);
    await countRead(tx.db, { id: new_thread.id, side: 'first_unread' });
  };
  return {
    ...rows,
    grow,
    mark: read,
    row: () => findThread(rows.read, new_thread.id),
    restart() {
      threads = openThreads(rows.openMemory());
    },
  };
}

test('a thread grows by the messages of a batch, each of which is told the one before [NET-200]', async (t) => {
  const { transact, grow, row, restart } = await openOne(t);
  assert.deepEqual(
    await Promise.all([1, 2, 3].map((number) => transact((tx) => grow(tx, number)))),
    [0, 1, 2],
  );
  restart();
  assert.equal(await transact((tx) => grow(tx, 4, true)), 3);
  assert.deepEqual(await row(), {
    ...new_thread,
    last_message_at: 40,
    last_number: 4,
    message_count: 4,
    first_unread: 2,
    second_unread: 1,
    first_unseen: 0,
    second_unseen: 1,
  });
});

test('a unit that is undone adds nothing, also one that has settled', async (t) => {
  const { transact, grow, mark, row } = await openOne(t);
  const undo = (work: (tx: Tx) => Promise<unknown>) =>
    transact(async (tx) => {
      await work(tx);
      throw new Undone();
    });
  const results = await Promise.allSettled([
    transact((tx) => grow(tx, 1)),
    undo((tx) => grow(tx, 2)),
    undo(async (tx) => {
      await grow(tx, 2);
      await mark(tx);
    }),
    transact((tx) => grow(tx, 2)),
  ]);
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value : 'undone')),
    [0, 'undone', 'undone', 1],
  );
  const { message_count, first_unread, second_unread } = (await row()) ?? {};
  assert.deepEqual([message_count, first_unread, second_unread], [2, 1, 1]);
});

test('what is read between two messages of a batch counts', async (t) => {
  const { transact, grow, mark, row } = await openOne(t);
  await Promise.all([
    transact((tx) => grow(tx, 1)),
    transact((tx) => mark(tx)),
    transact((tx) => grow(tx, 3)),
    transact((tx) => grow(tx, 5)),
    transact((tx) => mark(tx)),
  ]);
  await transact((tx) => grow(tx, 7));
  const { message_count, first_unread, last_number } = (await row()) ?? {};
  assert.deepEqual([message_count, first_unread, last_number], [4, 2, 7]);
});
