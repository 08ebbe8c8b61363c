import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { forEachEngine } from '../../../../tests/support/engines.ts';
import { openTestStorage } from '../../../../tests/support/open-storage.ts';
import { system_clock } from '../clock.ts';
import { MovableClock } from '../movable-clock.ts';
import type { Storage } from '../storage/storage.ts';
import { type Cache, openCaches } from './caches.ts';

async function prepare(storage: Storage): Promise<void> {
  await storage.migrate([
    {
      name: 'test-001-value',
      up: (db, columns) =>
        db.schema
          .createTable('value')
          .addColumn('key', columns.text, (column) => column.primaryKey())
          .addColumn('value', columns.integer)
          .execute(),
    },
  ]);
}

function openCounted(storage: Storage, entries_max = 100, clock = system_clock) {
  const loads: string[] = [];
  const caches = openCaches(storage, clock);
  const cache: Cache<number> = caches.open({
    name: 'value',
    entries_max,
    async load(key, db) {
      loads.push(key);
      const row: { value: number } | undefined = await db
        .selectFrom('value')
        .select('value')
        .where('key', '=', key)
        .executeTakeFirst();
      return row?.value;
    },
  });
  return { cache, loads, caches };
}

const put = (storage: Storage, cache: Cache<number>, key: string, value: number) =>
  storage.transact(async (tx) => {
    await sql`insert into value (key, value) values (${key}, ${value})
      on conflict (key) do update set value = excluded.value`.execute(tx.db);
    cache.forget(tx, key);
  });

forEachEngine((engine) => {
  test('get reads a value once, and anew after each commit that changes it', async () => {
    await using kept = await openTestStorage(engine);
    await prepare(kept.storage);
    const { cache, loads } = openCounted(kept.storage);
    assert.equal(await cache.get('a b'), undefined);
    for (let value = 1; value <= 20; value += 1) {
      await put(kept.storage, cache, 'a b', value);
      assert.equal(await cache.get('a b'), value);
      assert.equal(await cache.get('a b'), value);
    }
    // On PostgreSQL a process hears its own wake-ups a second time.
    if (engine === 'sqlite') assert.equal(loads.length, 21);
    assert(loads.length <= 41);
  });

  test('get never keeps what was loaded before a commit changed it', async () => {
    await using kept = await openTestStorage(engine);
    await prepare(kept.storage);
    const { cache } = openCounted(kept.storage);
    await put(kept.storage, cache, 'a', 0);
    for (let value = 1; value <= 100; value += 1) {
      const reading = Array.from({ length: 5 }, () => cache.get('a'));
      const writing = put(kept.storage, cache, 'a', value);
      reading.push(cache.get('a'));
      await writing;
      assert.equal(await cache.get('a'), value);
      await Promise.all(reading);
      assert.equal(await cache.get('a'), value);
    }
  });

  test('within sees what units of the same batch have changed, and nothing of those that were undone', async () => {
    await using kept = await openTestStorage(engine);
    await prepare(kept.storage);
    const { cache, loads } = openCounted(kept.storage);
    await put(kept.storage, cache, 'a', 0);
    const seen: (number | undefined)[] = [];
    const look = () => kept.storage.transact(async (tx) => seen.push(await cache.within(tx, 'a')));
    const change = (value: number, is_undone: boolean) =>
      kept.storage.transact(async (tx) => {
        await sql`update value set value = ${value}`.execute(tx.db);
        cache.forget(tx, 'a');
        if (is_undone) throw new Error('undone');
      });
    await look();
    await Promise.allSettled([look(), change(1, false), look(), change(2, true), look()]);
    await look();
    assert.deepEqual(seen, [0, 0, 1, 1, 1]);
    assert.equal(await cache.get('a'), 1);
    const loaded = loads.length;
    for (let turn = 0; turn < 10; turn += 1) await look();
    assert.equal(loads.length - loaded, engine === 'sqlite' ? 0 : 10);
  });

  test('within sees what units of the same batch have put before it is written, and nothing of those that were undone', async () => {
    await using kept = await openTestStorage(engine);
    await prepare(kept.storage);
    const { cache, loads } = openCounted(kept.storage);
    await put(kept.storage, cache, 'a', 0);
    const seen: (number | undefined)[] = [];
    const look = () => kept.storage.transact(async (tx) => seen.push(await cache.within(tx, 'a')));
    // What is put here is written by nobody, so that only memory can tell it.
    const tell = (value: number, is_undone: boolean) =>
      kept.storage.transact(async (tx) => {
        cache.put(tx, 'a', value);
        seen.push(await cache.within(tx, 'a'));
        if (is_undone) throw new Error('undone');
      });
    const forget = (is_undone: boolean) =>
      kept.storage.transact(async (tx) => {
        cache.forget(tx, 'a');
        if (is_undone) throw new Error('undone');
      });
    await Promise.allSettled([
      ...[tell(1, true), look(), tell(2, false), tell(3, true), look()],
      ...[forget(true), look(), tell(4, false)],
    ]);
    assert.deepEqual(seen, [1, 0, 2, 3, 2, 2, 4]);
    // A process that writes alone goes by what was put; what several write is read anew.
    assert.equal(await cache.get('a'), engine === 'sqlite' ? 4 : 0);
    const loaded = loads.length;
    seen.length = 0;
    await look();
    assert.deepEqual(seen, [engine === 'sqlite' ? 4 : 0]);
    assert.equal(loads.length - loaded, engine === 'sqlite' ? 0 : 1);
    seen.length = 0;
    await Promise.allSettled([tell(5, false), forget(false), look()]);
    assert.deepEqual(seen, [5, 0]);
    assert.equal(await cache.get('a'), 0);
  });

  test('what was put with a commit that fails is not kept', async () => {
    await using kept = await openTestStorage(engine);
    await prepare(kept.storage);
    let fails = false;
    kept.storage.join({
      begin() {},
      mark: () => 0,
      restore() {},
      async flush() {
        if (fails) throw new Error('not written');
      },
    });
    const { cache } = openCounted(kept.storage);
    await put(kept.storage, cache, 'a', 0);
    fails = true;
    await assert.rejects(
      kept.storage.transact(async (tx) => cache.put(tx, 'a', 1)),
      /not written/,
    );
    fails = false;
    assert.equal(await cache.get('a'), 0);
    assert.equal(await kept.storage.transact((tx) => cache.within(tx, 'a')), 0);
  });

  test('a cache keeps no more than its bound, and nothing of what does not exist', async () => {
    await using kept = await openTestStorage(engine);
    await prepare(kept.storage);
    const { cache, loads } = openCounted(kept.storage, 3);
    for (const key of ['a', 'b', 'c', 'd']) await put(kept.storage, cache, key, 1);
    for (const key of ['a', 'b', 'c', 'd', 'none', 'none']) await cache.get(key);
    assert.equal(loads.length, 6);
    await cache.get('d');
    assert.equal(loads.length, 6);
    await cache.get('a');
    assert.equal(loads.length, 7);
  });
});

test('a change by another process is seen, also when its wake-up is lost', async () => {
  await using kept = await openTestStorage('postgres');
  await prepare(kept.storage);
  const clock = new MovableClock(system_clock, { stopped: true });
  const { cache } = openCounted(kept.storage, 100, clock);
  const other = kept.beside();
  const other_cache = openCounted(other).cache;
  await put(other, other_cache, 'a', 1);
  assert.equal(await cache.get('a'), 1);
  await other.transact(async (tx) => {
    await sql`update value set value = 2`.execute(tx.db);
  });
  clock.advance(2_000);
  assert.equal(await cache.get('a'), 2);
});
