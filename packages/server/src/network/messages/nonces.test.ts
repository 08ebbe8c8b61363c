import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Kysely } from 'kysely';
import { openNetworkRows, Undone } from '../../../../../tests/support/network-rows.ts';
import type { MessageTables } from '../tables.ts';
import { hasNonce, insertNewNonces } from './nonce-store.ts';
import { openNonces } from './nonces.ts';

async function openSpending(t: TestContext) {
  const rows = await openNetworkRows(t);
  const { openMemory, read, transact } = rows;
  let nonces = openNonces(openMemory());
  return {
    ...rows,
    spend: (nonce: string, account = 'agent:a') =>
      transact((tx) => nonces.spend(tx, account, nonce)),
    spendAndFail: (nonce: string) =>
      transact(async (tx) => {
        assert.equal(await nonces.spend(tx, 'agent:a', nonce), true);
        assert.equal(await nonces.isSpent(tx, 'agent:a', nonce), true);
        throw new Undone();
      }),
    isSpent: (nonce: string) => transact((tx) => nonces.isSpent(tx, 'agent:a', nonce)),
    newCount: async () =>
      (await (read as Kysely<MessageTables>).selectFrom('net_nonce_new').selectAll().execute())
        .length,
    /** What was in memory is gone. */
    restart() {
      nonces = openNonces(openMemory());
    },
  };
}

test('a nonce is spent once by each sender, also of those that come together [NET-122] [NET-123]', async (t) => {
  const { spend, isSpent } = await openSpending(t);
  assert.equal(await isSpent('n'), false);
  const together = await Promise.all(Array.from({ length: 8 }, () => spend('n')));
  assert.deepEqual(together, [true, ...Array.from({ length: 7 }, () => false)]);
  assert.equal(await isSpent('n'), true);
  assert.equal(await spend('n', 'agent:b'), true);
  assert.equal(await spend('m'), true);
});

test('a unit of work that is undone spends no nonce [NET-122]', async (t) => {
  const { spend, spendAndFail } = await openSpending(t);
  const [kept, undone, same, other] = await Promise.allSettled([
    spend('kept'),
    spendAndFail('undone'),
    spend('kept'),
    spend('undone'),
  ]);
  assert.deepEqual(
    [kept, same, other],
    [
      { status: 'fulfilled', value: true },
      { status: 'fulfilled', value: false },
      { status: 'fulfilled', value: true },
    ],
  );
  assert.equal(undone.status, 'rejected');
});

/** Nonces of somebody else. */
const filling = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const digest = Buffer.alloc(16);
    digest.writeUInt32BE(index);
    return { account: 'agent:other', digest };
  });

test('a spent nonce stays so after a start, which puts what was left in its order [NET-122]', async (t) => {
  const { transact, read, spend, spendAndFail, isSpent, newCount, restart } = await openSpending(t);
  assert.equal(await spend('early'), true);
  const left = filling(500);
  await transact((tx) => insertNewNonces(tx.db, left));
  assert.equal(await newCount(), 501);
  restart();
  // The order that an undone unit has made is undone with it.
  const [undone, again, fresh] = await Promise.allSettled([
    spendAndFail('undone'),
    spend('early'),
    spend('one'),
  ]);
  assert.equal(undone.status, 'rejected');
  assert.deepEqual(
    [again, fresh],
    [
      { status: 'fulfilled', value: false },
      { status: 'fulfilled', value: true },
    ],
  );
  assert.equal(await newCount(), 1);
  assert.ok(await hasNonce(read, left[499] ?? assert.fail()));
  assert.equal(await spend('early'), false);
  assert.equal(await isSpent('one'), true);
  restart();
  assert.equal(await isSpent('one'), true);
  assert.equal(await isSpent('undone'), false);
});

test('a nonce stays spent when those in memory are put in their order [NET-122]', async (t) => {
  const { spend, isSpent, newCount, restart } = await openSpending(t);
  const names = Array.from({ length: 8_200 }, (_, index) => `n${index}`);
  const spent = await Promise.all(names.map((name) => spend(name)));
  assert.ok(spent.every((is_new) => is_new));
  // In the batch after the one that filled the memory.
  assert.equal(await spend('last'), true);
  assert.ok((await newCount()) < 100);
  for (const start of [() => {}, restart]) {
    start();
    for (const name of ['n0', 'n8190', 'n8191', 'n8192', 'n8199', 'last']) {
      assert.equal(await isSpent(name), true, name);
      assert.equal(await spend(name), false, name);
    }
    assert.equal(await isSpent('other'), false);
  }
});
