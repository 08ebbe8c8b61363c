import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openNetworkRows, Undone } from '../../../../../tests/support/network-rows.ts';
import { day_ms, minute_ms } from '../limits.ts';
import type { Tally } from '../tables.ts';
import { openTallies } from './tally.ts';

const limits = {
  signups_per_hour_max: 1,
  signups_per_day_max: 1,
  house_signups_per_day_max: 1,
  messages_per_minute_max: 3,
  messages_per_day_max: 100,
  requests_per_day_max: 2,
  agent_requests_per_day_max: 4,
  bad_signatures_per_minute_max: 1,
};

async function openCounts(t: TestContext) {
  const { transact, clock, openMemory } = await openNetworkRows(t);
  let tallies = openTallies(openMemory());
  const counted = (tally: Tally, account = 'agent:a') => ({
    limits,
    tally,
    account,
    now: clock.now(),
  });
  return {
    clock,
    transact,
    within: (tx: Parameters<Parameters<typeof transact>[0]>[0], tally: Tally) =>
      tallies.count(tx, counted(tally)),
    look: (tally: Tally, account?: string) => tallies.look(counted(tally, account)),
    count: (tally: Tally, account?: string) =>
      transact((tx) => tallies.count(tx, counted(tally, account))),
    /** What was in memory is gone. */
    restart() {
      tallies = openTallies(openMemory());
    },
  };
}

test('count lets as many pass as a minute allows, and tells the next to the millisecond when [NET-156]', async (t) => {
  const { clock, count, look } = await openCounts(t);
  for (let index = 0; index < 3; index += 1) {
    assert.equal(await count('messages'), undefined);
    clock.advance(1_000);
  }
  assert.equal(await look('messages'), minute_ms - 3_000);
  assert.equal(await count('messages'), minute_ms - 3_000);
  assert.equal(await count('messages', 'agent:b'), undefined, 'each account for itself');
  assert.equal(await count('requests'), undefined, 'and each tally');
  clock.advance(minute_ms - 3_001);
  assert.equal(await count('messages'), 1);
  clock.advance(1);
  assert.equal(await look('messages'), undefined);
  assert.equal(await look('messages'), undefined, 'who looks is not counted');
  assert.equal(await count('messages'), undefined);
  assert.equal(await count('messages'), 1_000, 'what was refused is not counted');
});

test('parallel units pass no more than there are, and one that is undone counts nothing', async (t) => {
  const { count, transact, within } = await openCounts(t);
  const undo = transact(async (tx) => {
    assert.equal(await within(tx, 'requests-to'), undefined);
    throw new Undone();
  });
  const results = await Promise.allSettled([
    undo,
    ...Array.from({ length: 6 }, () => count('requests-to')),
  ]);
  const waits = results.slice(1).map((result) => result.status === 'fulfilled' && result.value);
  assert.equal(results[0]?.status, 'rejected');
  assert.deepEqual(waits, [undefined, undefined, undefined, undefined, day_ms, day_ms]);
});

test('counts of a day are exact however many they are, and outlive a restart [NET-157]', async (t) => {
  const { clock, count, look, restart } = await openCounts(t);
  const began_at = clock.now();
  for (let index = 0; index < 100; index += 1) {
    if (index % 30 === 29) restart();
    assert.equal(await count('messages'), undefined, `message ${index}`);
    clock.advance(minute_ms);
  }
  const wait_ms = began_at + day_ms - clock.now();
  assert.equal(await count('messages'), wait_ms);
  restart();
  assert.equal(await look('messages'), wait_ms);
  assert.equal(await count('messages'), wait_ms);
  clock.advance(wait_ms);
  assert.equal(await count('messages'), undefined);
  assert.equal(
    await count('messages'),
    minute_ms,
    'the second of them is a day old a minute later',
  );
});
