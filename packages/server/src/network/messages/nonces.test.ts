import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openNetworkRows, Undone } from '../../../../../tests/support/network-rows.ts';
import { hasNonce, insertNewNonces, listNewNonces } from './nonce-store.ts';
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
    newCount: async () => (await listNewNonces(read)).length,
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

test('a spent nonce stays so after a start and when it is put in its order [NET-122]', async (t) => {
  const { transact, read, spend, isSpent, newCount, restart } = await openSpending(t);
  assert.equal(await spend('early'), true);
  const filling = Array.from({ length: 8_189 }, (_, index) => {
    const digest = Buffer.alloc(16);
    digest.writeUInt32BE(index);
    return { account: 'agent:other', digest };
  });
  await transact((tx) => insertNewNonces(tx.db, filling));
  restart();
  assert.equal(await spend('early'), false);
  assert.equal(await spend('one'), true);
  assert.equal(await newCount(), 8_191);
  // The first of them fills the memory; those after it come while it is emptied.
  assert.deepEqual(await Promise.all(['two', 'three', 'two'].map((nonce) => spend(nonce))), [
    true,
    true,
    false,
  ]);
  assert.equal(await spend('four'), true);
  assert.ok((await newCount()) < 4);
  assert.ok(await hasNonce(read, filling[8_188] ?? assert.fail()));
  for (const start of [() => {}, restart]) {
    start();
    for (const nonce of ['early', 'one', 'two', 'three', 'four']) {
      assert.equal(await isSpent(nonce), true, nonce);
      assert.equal(await spend(nonce), false, nonce);
    }
    assert.equal(await isSpent('five'), false);
  }
});
