import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openNetworkRows } from '../../../../../tests/support/network-rows.ts';
import type { Tx } from '../../storage/storage.ts';
import { deleteWake, putWake } from '../legacy-inbox/inbox-store.ts';
import { openCallsOwed } from './calls-owed.ts';
import { putWebhook, updateWebhook } from './webhook-store.ts';

const account = 'agent:a';
const url = 'https://a.example/';

test('an account is owed the calls that it has asked for, from the same unit of work on', async (t) => {
  const { transact, openMemory } = await openNetworkRows(t);
  const calls = openCallsOwed(openMemory());
  const owed = () => transact((tx) => calls.within(tx, account));
  /** Changes what the account is called by; answers what it is owed within that unit. */
  const change = (work: (tx: Tx) => Promise<unknown>) =>
    transact(async (tx) => {
      await work(tx);
      calls.changed(tx, account);
      return calls.within(tx, account);
    });
  assert.deepEqual(await owed(), { webhook: false, wake: false });

  const woken = await change(({ db }) => putWake(db, { account, url }));
  assert.deepEqual([woken, await owed()], Array(2).fill({ webhook: false, wake: true }));

  const row = { account, url, secret_box: Buffer.alloc(1), created_at: 1 };
  const counts = { failed_in_a_row: 0, disabled_at: null, attempts: 0 };
  const called = await change(({ db }) => putWebhook(db, { ...row, ...counts }));
  assert.deepEqual([called, await owed()], Array(2).fill({ webhook: true, wake: true }));

  const disabled = await change(({ db }) => updateWebhook(db, account, { disabled_at: 2 }));
  assert.deepEqual([disabled, await owed()], Array(2).fill({ webhook: false, wake: true }));

  const left = await change(({ db }) => deleteWake(db, account));
  assert.deepEqual([left, await owed()], Array(2).fill({ webhook: false, wake: false }));
  const other = await transact((tx) => calls.within(tx, 'agent:b'));
  assert.deepEqual(other, { webhook: false, wake: false });
});
