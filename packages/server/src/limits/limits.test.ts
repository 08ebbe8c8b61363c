import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { forEachEngine } from '../../../../tests/support/engines.ts';
import { createDatabase } from '../../../../tests/support/postgres.ts';
import { temporaryFolder } from '../../../../tests/support/temporary-folder.ts';
import { system_clock } from '../clock.ts';
import { MovableClock } from '../movable-clock.ts';
import { openPostgres } from '../storage/postgres/open-postgres.ts';
import { openSqlite } from '../storage/sqlite/open-sqlite.ts';
import type { Engine, Storage } from '../storage/storage.ts';
import { type Limits, openLimits } from './limits.ts';
import { limits_migrations } from './limits-tables.ts';

const start = Date.UTC(2026, 0, 1);
const becomes_within_ms = 10_000;
const stoppedClock = () => new MovableClock(system_clock, { start, stopped: true });

async function openStorages(t: TestContext, engine: Engine, count: number): Promise<Storage[]> {
  const database = engine === 'postgres' ? await createDatabase() : undefined;
  const folder = temporaryFolder();
  const storages = Array.from({ length: count }, () =>
    database ? openPostgres(database.url, 4) : openSqlite(join(folder.path, 'stoa.db')),
  );
  t.after(async () => {
    for (const storage of storages) await storage.close();
    await database?.drop();
    folder.remove();
  });
  await storages[0]?.migrate(limits_migrations[engine]);
  return storages;
}

async function openTestLimits(t: TestContext, engine: Engine) {
  const [storage] = await openStorages(t, engine, 1);
  assert.ok(storage);
  const clock = stoppedClock();
  const limits = openLimits({ storage, clock });
  t.after(() => limits.close());
  return { limits, clock, storage };
}

/** Limits in memory; no database is touched. */
function memoryLimits(t: TestContext): { limits: Limits; clock: MovableClock } {
  const clock = stoppedClock();
  const folder = temporaryFolder();
  const storage = openSqlite(join(folder.path, 'stoa.db'));
  const limits = openLimits({ storage, clock });
  t.after(async () => {
    limits.close();
    await storage.close();
    folder.remove();
  });
  return { limits, clock };
}

const bucket_spec = { name: 'knocks', capacity: 3, refill_ms_per_unit: 1_000, keys_max: 100 };
const window_spec = { name: 'reads', limit: 3, window_ms: 60_000, keys_max: 100 };

forEachEngine((engine) => {
  test('take passes the capacity at once, then one for each unit refilled', async (t) => {
    const { limits, clock } = await openTestLimits(t, engine);
    const bucket = limits.bucket(bucket_spec);
    assert.deepEqual(await bucket.take('a'), { ok: true, remaining: 2 });
    assert.deepEqual(await bucket.take('a', 2), { ok: true, remaining: 0 });
    assert.deepEqual(await bucket.take('a'), { ok: false, retry_after_ms: 1_000 });
    assert.deepEqual(await bucket.take('a', 3), { ok: false, retry_after_ms: 3_000 });
    clock.advance(999);
    assert.deepEqual(await bucket.take('a'), { ok: false, retry_after_ms: 1 });
    clock.advance(1);
    assert.deepEqual(await bucket.take('a'), { ok: true, remaining: 0 });
    assert.equal((await bucket.take('a')).ok, false);
    assert.deepEqual(await bucket.take('b'), { ok: true, remaining: 2 }, 'another key is apart');
    clock.advance(1_000_000);
    assert.deepEqual(await bucket.take('a'), { ok: true, remaining: 2 }, 'never more than full');
  });

  test('peek and reset leave and fill the bucket', async (t) => {
    const { limits, clock } = await openTestLimits(t, engine);
    const bucket = limits.bucket(bucket_spec);
    assert.equal(await bucket.peek('a'), 3);
    await bucket.take('a', 2);
    clock.advance(500);
    assert.equal(await bucket.peek('a'), 1);
    await bucket.reset('a');
    assert.equal(await bucket.peek('a'), 3);
    assert.deepEqual(await bucket.take('a'), { ok: true, remaining: 2 });
  });

  test('take refuses units that the bucket could never hold', async (t) => {
    const { limits } = await openTestLimits(t, engine);
    const bucket = limits.bucket(bucket_spec);
    for (const units of [0, -1, 1.5, 4, Number.NaN]) {
      await assert.rejects(bucket.take('a', units), RangeError);
    }
  });

  test('count passes the limit within the window and frees a place exactly after it', async (t) => {
    const { limits, clock } = await openTestLimits(t, engine);
    const window = limits.window(window_spec);
    assert.deepEqual(await window.count('a'), { ok: true, remaining: 2 });
    clock.advance(10_000);
    assert.deepEqual(await window.count('a'), { ok: true, remaining: 1 });
    assert.deepEqual(await window.count('a'), { ok: true, remaining: 0 });
    clock.advance(1);
    assert.deepEqual(await window.count('a'), { ok: false, retry_after_ms: 49_999 });
    assert.deepEqual(await window.look('a'), { ok: false, retry_after_ms: 49_999 });
    assert.deepEqual(await window.look('b'), { ok: true, remaining: 2 });
    assert.deepEqual(await window.look('b'), { ok: true, remaining: 2 }, 'a look counts nothing');
    assert.deepEqual(await window.count('b'), { ok: true, remaining: 2 }, 'another key is apart');
    clock.advance(49_998);
    assert.deepEqual(await window.count('a'), { ok: false, retry_after_ms: 1 });
    clock.advance(1);
    assert.deepEqual(await window.count('a'), { ok: true, remaining: 0 });
    assert.deepEqual(await window.count('a'), { ok: false, retry_after_ms: 10_000 });
    assert.deepEqual(await window.look('a'), { ok: false, retry_after_ms: 10_000 });
  });

  test('parallel attempts never pass more than the limit', async (t) => {
    const { limits } = await openTestLimits(t, engine);
    const bucket = limits.bucket(bucket_spec);
    const window = limits.window(window_spec);
    for (const attempt of [() => bucket.take('a'), () => window.count('a')]) {
      const answers = await Promise.all(Array.from({ length: 50 }, attempt));
      assert.equal(answers.filter(({ ok }) => ok).length, 3);
    }
  });

  test('two limiters of one name are refused, and numbers that are not whole', async (t) => {
    const { limits } = await openTestLimits(t, engine);
    limits.bucket(bucket_spec);
    assert.throws(() => limits.window({ ...window_spec, name: 'knocks' }), /knocks/);
    assert.throws(
      () => limits.bucket({ ...bucket_spec, name: 'b', refill_ms_per_unit: 0.5 }),
      RangeError,
    );
    assert.throws(() => limits.window({ ...window_spec, name: 'w', limit: 0 }), RangeError);
  });

  test('take and count agree with their definitions at any times', async (t) => {
    const { limits, clock } = await openTestLimits(t, engine);
    const bucket = limits.bucket({ ...bucket_spec, refill_ms_per_unit: 70 });
    const window = limits.window({ ...window_spec, window_ms: 200 });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(120), { maxLength: 30 }), async (waits_ms) => {
        run += 1;
        const key = `run ${run}`;
        let units = 3;
        const counted: number[] = [];
        for (const wait_ms of waits_ms) {
          clock.advance(wait_ms);
          units = Math.min(3, units + wait_ms / 70);
          const has_unit = units >= 1 - 1e-9;
          if (has_unit) units -= 1;
          assert.equal((await bucket.take(key)).ok, has_unit);
          const now = clock.now();
          const has_room = counted.filter((at) => at > now - 200).length < 3;
          if (has_room) counted.push(now);
          assert.equal((await window.count(key)).ok, has_room);
        }
      }),
      { numRuns: engine === 'sqlite' ? 100 : 15 },
    );
  });
});

forEachEngine((engine) => {
  if (engine === 'sqlite') return;

  test('two processes on one database share the counts', async (t) => {
    const storages = await openStorages(t, engine, 2);
    const clock = stoppedClock();
    const houses = storages.map((storage) => openLimits({ storage, clock }));
    t.after(() => houses.map((limits) => limits.close()));
    const buckets = houses.map((limits) => limits.bucket({ ...bucket_spec, capacity: 10 }));
    const windows = houses.map((limits) => limits.window({ ...window_spec, limit: 10 }));
    for (const attempts of [
      buckets.flatMap((bucket) => Array.from({ length: 20 }, () => bucket.take('a'))),
      windows.flatMap((window) => Array.from({ length: 20 }, () => window.count('a'))),
    ]) {
      const answers = await Promise.all(attempts);
      assert.equal(answers.filter(({ ok }) => ok).length, 10);
    }
    await buckets[0]?.reset('a');
    assert.equal(await buckets[1]?.peek('a'), 10);
  });

  test('an attempt of a process whose clock is behind does not make room', async (t) => {
    const storages = await openStorages(t, engine, 2);
    const [ahead, behind] = storages.map((storage, index) => {
      const clock = new MovableClock(system_clock, { start: start - index * 5_000, stopped: true });
      const limits = openLimits({ storage, clock });
      t.after(() => limits.close());
      return { window: limits.window(window_spec), bucket: limits.bucket(bucket_spec), clock };
    });
    assert.ok(ahead && behind);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      assert.equal((await ahead.window.count('a')).ok, true);
      assert.equal((await ahead.bucket.take('a')).ok, true);
    }
    assert.equal((await behind.window.count('a')).ok, true);
    assert.equal((await behind.window.count('a')).ok, false);
    assert.equal((await behind.bucket.take('a')).ok, false);
    ahead.clock.advance(59_999);
    assert.deepEqual(await ahead.window.count('a'), { ok: false, retry_after_ms: 1 });
  });

  test('the sweep deletes rows that are as if they had never come, and no others', async (t) => {
    const { limits, clock, storage } = await openTestLimits(t, engine);
    const bucket = limits.bucket(bucket_spec);
    const window = limits.window(window_spec);
    await bucket.take('early');
    await window.count('early');
    clock.advance(9_000);
    await bucket.take('late', 3);
    await window.count('late');
    const keysOf = async (table: string) =>
      (await storage.read.selectFrom(table).select('key').orderBy('key').execute()).map(
        ({ key }) => key,
      );
    clock.advance(1_000);
    await becomes(async () => (await keysOf('limit_bucket')).length === 1);
    assert.deepEqual(await keysOf('limit_bucket'), ['late']);
    assert.deepEqual(await keysOf('limit_window'), ['early', 'late']);
    clock.advance(50_000);
    await becomes(async () => (await keysOf('limit_window')).length === 1);
    assert.deepEqual(await keysOf('limit_window'), ['late']);
  });
});

/** Waits for what happens in the background after a turn of the clock. */
async function becomes(isSo: () => Promise<boolean> | boolean): Promise<void> {
  const ends_at = system_clock.now() + becomes_within_ms;
  while (!(await isSo())) {
    assert.ok(system_clock.now() < ends_at, 'it did not come to be');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Octets of the heap that are in use. */
function heapUsed(): number {
  setFlagsFromString('--expose_gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

test('a million keys leave the size of limits in memory as it was', async (t) => {
  const { limits, clock } = memoryLimits(t);
  const keys_max = 10_000;
  const bucket = limits.bucket({ ...bucket_spec, keys_max });
  const window = limits.window({ ...window_spec, keys_max });
  const flood = async (from: number, to: number) => {
    for (let n = from; n < to; n += 1) {
      const key = `${n & 255}.${(n >> 8) & 255}.${n >> 16}.1`;
      void bucket.take(key);
      void window.count(key);
      if (n % 1_000 === 0) {
        clock.advance(100);
        await Promise.resolve();
      }
    }
  };
  await flood(0, 100_000);
  const before = heapUsed();
  await flood(100_000, 1_000_000);
  const grown = heapUsed() - before;
  assert.ok(limits.keyCount() <= 2 * keys_max);
  assert.ok(limits.keyCount() > keys_max);
  // The same keys kept would take some two hundred times as much.
  assert.ok(grown < 8_000_000, `the heap grew by ${grown} octets`);
  clock.advance(1_000_000);
  await becomes(() => limits.keyCount() === 0);
});

test('a flood of other keys does not give back what a key has used', async (t) => {
  const { limits } = memoryLimits(t);
  const bucket = limits.bucket(bucket_spec);
  const window = limits.window(window_spec);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await bucket.take('spent');
    await window.count('spent');
  }
  for (let n = 0; n < 10_000; n += 1) {
    await bucket.take(`flood ${n}`);
    await window.count(`flood ${n}`);
    assert.equal((await bucket.take('spent')).ok, false);
    assert.equal((await window.count('spent')).ok, false);
  }
});

test('a flood from no more keys than fit costs newcomers nothing', async (t) => {
  const { limits, clock } = memoryLimits(t);
  const bucket = limits.bucket(bucket_spec);
  const window = limits.window(window_spec);
  for (let n = 0; n < 99; n += 1) {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await bucket.take(`flood ${n}`);
      await window.count(`flood ${n}`);
    }
  }
  assert.deepEqual(await bucket.take('newcomer'), { ok: true, remaining: 2 });
  assert.deepEqual(await window.count('newcomer'), { ok: true, remaining: 2 });
  // The table is full now: the next one takes over what the one who used least had used.
  assert.deepEqual(await bucket.take('next'), { ok: true, remaining: 2 });
  assert.deepEqual(await bucket.take('third'), { ok: true, remaining: 1 });
  assert.deepEqual(await window.count('next'), { ok: true, remaining: 2 });
  assert.deepEqual(await window.count('third'), { ok: true, remaining: 1 });
  clock.advance(60_000);
  assert.deepEqual(await bucket.take('after'), { ok: true, remaining: 2 });
  assert.deepEqual(await window.count('after'), { ok: true, remaining: 2 });
});

test('reset helps during a flood too', async (t) => {
  const { limits } = memoryLimits(t);
  const bucket = limits.bucket({ ...bucket_spec, keys_max: 1 });
  for (const key of 'abcdef') await bucket.take(key);
  assert.deepEqual(await bucket.take('g'), { ok: false, retry_after_ms: 1_000 });
  await bucket.reset('g');
  assert.deepEqual(await bucket.take('g'), { ok: true, remaining: 2 });
});

test('no key gets more than its limit, however few keys are kept', async (t) => {
  const { limits, clock } = memoryLimits(t);
  let run = 0;
  const step = fc.record({ key: fc.constantFrom(...'abcdefgh'), wait_ms: fc.nat(80) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 80 }),
      fc.integer({ min: 1, max: 5 }),
      async (steps, keys_max) => {
        run += 1;
        const bucket = limits.bucket({
          name: `b${run}`,
          capacity: 3,
          refill_ms_per_unit: 100,
          keys_max,
        });
        const window = limits.window({ name: `w${run}`, limit: 3, window_ms: 300, keys_max });
        const units = new Map<string, { left: number; at: number }>();
        const counted = new Map<string, number[]>();
        for (const { key, wait_ms } of steps) {
          clock.advance(wait_ms);
          const now = clock.now();
          const before = units.get(key) ?? { left: 3, at: now };
          const left = Math.min(3, before.left + (now - before.at) / 100);
          if ((await bucket.take(key)).ok) {
            assert.ok(left >= 1 - 1e-9);
            units.set(key, { left: left - 1, at: now });
          }
          const instants = (counted.get(key) ?? []).filter((at) => at > now - 300);
          if ((await window.count(key)).ok) {
            assert.ok(instants.length < 3);
            counted.set(key, [...instants, now]);
          }
        }
      },
    ),
    { numRuns: 300 },
  );
});
