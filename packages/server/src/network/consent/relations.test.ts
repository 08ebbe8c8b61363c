import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openNetworkRows, Undone } from '../../../../../tests/support/network-rows.ts';
import { pairOf } from '../accounts/account-id.ts';
import { insertBlock } from './block-store.ts';
import { insertContact } from './contact-store.ts';
import { openRelations } from './relations.ts';

const [a, b] = ['agent:a', 'agent:b'] as const;

const strangers = {
  contact_since: null,
  blocks_since: null,
  blocked_since: null,
  pending_request: null,
  ask_again_at: null,
  thread: null,
};

test('two that never met have a relation, and what changes between them both see', async (t) => {
  const { transact, openMemory } = await openNetworkRows(t);
  const relations = openRelations(openMemory());
  assert.deepEqual(await relations.get(a, b), strangers);
  assert.deepEqual(await relations.get(b, a), strangers);
  await transact(async (tx) => {
    await insertContact(tx.db, { ...pairOf(a, b), since: 5 });
    await insertBlock(tx.db, { blocker: a, blocked: b, since: 7 });
    relations.changed(tx, b, a);
    const seen = { ...strangers, contact_since: 5, blocks_since: 7 };
    assert.deepEqual(await relations.within(tx, a, b), seen);
  });
  const one = { ...strangers, contact_since: 5 };
  assert.deepEqual(await relations.get(a, b), { ...one, blocks_since: 7 });
  assert.deepEqual(await relations.get(b, a), { ...one, blocked_since: 7 });
  assert.deepEqual(await relations.get(a, 'agent:c'), strangers);
});

test('what was undone between two has not changed', async (t) => {
  const { transact, openMemory } = await openNetworkRows(t);
  const relations = openRelations(openMemory());
  assert.deepEqual(await relations.get(a, b), strangers);
  const [undone, later] = await Promise.allSettled([
    transact(async (tx) => {
      await insertBlock(tx.db, { blocker: a, blocked: b, since: 7 });
      relations.changed(tx, a, b);
      throw new Undone();
    }),
    transact((tx) => relations.within(tx, a, b)),
  ]);
  assert.equal(undone.status, 'rejected');
  assert.deepEqual(later, { status: 'fulfilled', value: strangers });
  assert.deepEqual(await relations.get(a, b), strangers);
});
