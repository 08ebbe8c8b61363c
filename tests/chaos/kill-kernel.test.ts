import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Storage } from '../../packages/server/src/storage/storage.ts';
import { forEachEngine } from '../support/engines.ts';
import { type Acknowledged, startAppender } from './append-process.ts';
import { drawChance, drawn } from './draw.ts';
import {
  checkLedger,
  type LedgerCheck,
  ledger_migrations,
  newPlace,
  openPlace,
  type Seen,
} from './ledger.ts';

/** The connections by which others write to the same PostgreSQL database. */
const other_writers = sql`from pg_stat_activity where application_name = 'stoa writer'
  and datname = current_database()`;

/** Resolves when nobody writes to the database any more: what a dead process had sent is over. */
async function untilAbandoned(storage: Storage): Promise<void> {
  if (storage.engine === 'sqlite') return;
  for (;;) {
    const { rows } = await sql`select 1 ${other_writers}`.execute(storage.read);
    if (rows.length === 0) return;
    await sleep(5);
  }
}

function assertKept(acknowledged: readonly Acknowledged[], found: LedgerCheck): void {
  for (const { unit, has_rows, places } of acknowledged) {
    for (const { place, hash } of places) {
      assert.equal(found.hashes.get(place), hash, `${unit} was acknowledged at ${place}`);
    }
    if (has_rows) assert.ok(found.units.has(unit), `${unit} was acknowledged`);
  }
}

forEachEngine((engine) => {
  test('a process killed at any moment leaves every acknowledged unit whole, and no part of another', async (t) => {
    const chance = drawChance(t);
    await using place = await newPlace(engine);
    const kills = drawn(50, 5);
    const all: Acknowledged[] = [];
    let seen: Seen = new Map();
    for (let round = 1; round <= kills; round += 1) {
      const seed = chance.below(2 ** 31);
      const hands = chance.pick([1, 8, 64]);
      await using appender = startAppender({ place, run: `${round}`, seed, hands });
      if (round === 1 || chance.onceIn(6)) {
        // While it still opens its ledger, the very first time among them.
        await sleep(chance.below(300));
      } else {
        await appender.untilAcknowledged(chance.below(drawn(1_000, 200)));
        await sleep(chance.below(50));
      }
      await appender.kill('SIGKILL');
      const storage = openPlace(place);
      try {
        await storage.migrate(ledger_migrations);
        await untilAbandoned(storage);
        const found = await checkLedger(storage, seen, `${round} `);
        assertKept(appender.acknowledged, found);
        seen = found.seen;
        for (const acknowledged of appender.acknowledged) all.push(acknowledged);
      } finally {
        await storage.close();
      }
    }
    const storage = openPlace(place);
    try {
      assertKept(all, await checkLedger(storage, new Map(), ''));
    } finally {
      await storage.close();
    }
    t.diagnostic(`${kills} kills, ${all.length} units acknowledged and found`);
    assert.ok(all.length > kills, 'there was a load to be killed under');
  });
});

test('a process whose connection is severed again and again acknowledges only what is there', async (t) => {
  const chance = drawChance(t);
  await using place = await newPlace('postgres');
  const seed = chance.below(2 ** 31);
  await using appender = startAppender({ place, run: 'severed', seed, hands: 16, may_fail: true });
  await appender.untilAcknowledged(1);
  const storage = openPlace(place);
  try {
    for (let cut = 1; cut <= drawn(100, 12); cut += 1) {
      await sleep(chance.below(100));
      await sql`select pg_terminate_backend(pid) ${other_writers}`.execute(storage.read);
    }
    await appender.untilAcknowledged(appender.acknowledged.length + 1);
    await appender.kill('SIGKILL');
    await untilAbandoned(storage);
    assertKept(appender.acknowledged, await checkLedger(storage, new Map(), 'severed '));
  } finally {
    await storage.close();
  }
  assert.ok(appender.failures() > 0, 'units failed');
  t.diagnostic(`${appender.acknowledged.length} acknowledged, ${appender.failures()} failed`);
});
