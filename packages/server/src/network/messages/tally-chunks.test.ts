import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachEngine } from '../../../../../tests/support/engines.ts';
import { openTestStorage } from '../../../../../tests/support/open-storage.ts';
import { openCaches } from '../../cache/caches.ts';
import { system_clock } from '../../clock.ts';
import { RowBuffer } from '../../storage/row-buffer.ts';
import type { Db, Storage } from '../../storage/storage.ts';
import { day_ms, minute_ms } from '../limits.ts';
import { network_migrations } from '../migrations.ts';
import { openTallies, type Tallies } from './tally.ts';

const limits = {
  signups_per_hour_max: 1,
  signups_per_day_max: 1,
  house_signups_per_day_max: 1,
  messages_per_minute_max: 40,
  messages_per_day_max: 500,
  requests_per_day_max: 10,
  agent_requests_per_day_max: 100,
  bad_signatures_per_minute_max: 1,
};

/** Tallies as a process has them that was just started. */
function start(storage: Storage) {
  const caches = openCaches(storage, system_clock);
  const tallies = openTallies({
    caches,
    read: storage.read,
    transact: storage.transact,
    rowBuffer<Row>(write: (db: Db, rows: readonly Row[]) => Promise<void>) {
      const buffer = new RowBuffer<Row>(write);
      storage.join(buffer);
      return buffer;
    },
  });
  return { tallies, [Symbol.dispose]: () => caches.close() };
}

/** How long the next of an account waits that has had events at these instants. */
function waitAfter(instants: readonly number[], now: number): number | undefined {
  const after = (back: number, span_ms: number) =>
    (instants.at(-back) ?? Number.NEGATIVE_INFINITY) + span_ms - now;
  const wait_ms = Math.max(
    after(limits.messages_per_day_max, day_ms),
    after(limits.messages_per_minute_max, minute_ms),
  );
  return wait_ms > 0 ? wait_ms : undefined;
}

forEachEngine((engine) => {
  test('of many events of many accounts none is forgotten and none is too many, over restarts and beside undone ones [NET-161]', async () => {
    await using kept = await openTestStorage(engine);
    const { storage } = kept;
    await storage.migrate(network_migrations);
    const had = new Map<string, number[]>();
    let now = 1_790_000_000_000;
    const send = (tallies: Tallies, account: string, is_undone: boolean) =>
      storage
        .transact(async (tx) => {
          const counted = { limits, tally: 'messages', account, now } as const;
          const wait_ms = await tallies.count(tx, counted);
          const instants = had.get(account) ?? [];
          assert.equal(wait_ms, waitAfter(instants, now));
          if (is_undone) throw new Error('undone');
          if (wait_ms === undefined) had.set(account, [...instants, now]);
        })
        .catch((error: Error) => assert.equal(error.message, 'undone'));
    // One account comes to the limits of a minute and of a day, others seldom send.
    const round = async (tallies: Tallies, count: number) => {
      const sends = Array.from({ length: count }, (_, index) =>
        send(tallies, index % 2 ? 'agent:busy' : `agent:${index % 14}`, index % 9 === 4),
      );
      await Promise.all(sends);
      now += 50_000;
    };
    for (let process = 0; process < 4; process += 1) {
      using started = start(storage);
      for (let index = 0; index < 12; index += 1) await round(started.tallies, 128);
    }
    assert.equal(had.get('agent:busy')?.length, 500);
    using last = start(storage);
    const look = (account: string) =>
      last.tallies.look({ limits, tally: 'messages', account, now });
    for (const [account, instants] of had) {
      assert.equal(await look(account), waitAfter(instants, now));
    }
    // What is a day old is forgotten, and counts for nobody.
    now += day_ms - 60_000 * 20;
    await storage.transact((tx) => last.tallies.forget(tx, now - day_ms));
    await round(last.tallies, 256);
    await storage.transact((tx) => last.tallies.forget(tx, now + 1));
    const { rows } = await storage.read.executeQuery<{ rows: number }>(
      storage.read
        .selectFrom('net_tally')
        .select((of) => of.fn.countAll<number>().as('rows'))
        .compile(),
    );
    assert.equal(Number(rows[0]?.rows), 0);
    had.clear();
    now += day_ms;
    await round(last.tallies, 64);
  });
});
