import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { forEachEngine } from '../../../../tests/support/engines.ts';
import { openTestStorage } from '../../../../tests/support/open-storage.ts';
import { system_clock } from '../clock.ts';
import { MovableClock } from '../movable-clock.ts';
import type { Engine, Storage } from '../storage/storage.ts';
import { openLimits, type Places } from './limits.ts';
import { limits_migrations } from './limits-tables.ts';

const spec = { name: 'waits', key_places_max: 2, places_max: 5, hold_max_ms: 30_000 };

async function openPlaces(t: TestContext, engine: Engine, processes = 1) {
  const kept = await openTestStorage(engine);
  t.after(() => kept[Symbol.asyncDispose]());
  await kept.storage.migrate(limits_migrations[engine]);
  const clock = new MovableClock(system_clock, { stopped: true });
  const open = (storage: Storage) => {
    const limits = openLimits({ storage, clock });
    t.after(() => limits.close());
    return limits.places(spec);
  };
  const places = [open(kept.storage)];
  while (places.length < processes) places.push(open(kept.beside()));
  return { places, clock, kept };
}

const becomes_free_within_ms = 10_000;

/** What is given back is free a moment later, at the latest. */
async function becomesFree(take: () => Promise<(() => void) | undefined>): Promise<() => void> {
  for (const ends_at = system_clock.now() + becomes_free_within_ms; ; ) {
    const giveBack = await take();
    if (giveBack) return giveBack;
    assert.ok(system_clock.now() < ends_at, 'it did not become free');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

forEachEngine((engine) => {
  test('take gives a key its places and no more, until one is given back', async (t) => {
    const {
      places: [places],
    } = await openPlaces(t, engine);
    assert.ok(places);
    const first = await places.take('a');
    const second = await places.take('a');
    assert.ok(first && second);
    assert.equal(await places.take('a'), undefined);
    assert.ok(await places.take('b'));
    first();
    first();
    await becomesFree(() => places.take('a'));
    assert.equal(await places.take('a'), undefined);
  });

  test('take gives out no more than there are over all keys', async (t) => {
    const {
      places: [places],
    } = await openPlaces(t, engine);
    assert.ok(places);
    const keys = Array.from({ length: 40 }, (_, index) => `key ${index % 20}`);
    const taken = await Promise.all(keys.map((key) => places.take(key)));
    const held = taken.filter((giveBack) => giveBack !== undefined);
    assert.equal(held.length, spec.places_max);
    assert.equal(await places.take('other'), undefined);
    held[0]?.();
    await becomesFree(() => places.take('other'));
    assert.equal(await places.take('another'), undefined);
  });
});

test('processes on one database share their places, and those of a dead one are free again', async (t) => {
  const {
    places: [one, other],
    clock,
  } = await openPlaces(t, 'postgres', 2);
  assert.ok(one && other);
  const first = await one.take('a');
  assert.ok(first);
  assert.ok(await other.take('a'));
  assert.equal(await one.take('a'), undefined);
  assert.equal(await other.take('a'), undefined);
  first();
  await becomesFree(() => other.take('a'));
  for (const key of ['b', 'b', 'c']) assert.ok(await one.take(key));
  assert.equal(await other.take('e'), undefined);
  // `one` dies here: nothing of its is ever given back, and its count goes with a sweep.
  clock.advance(spec.hold_max_ms - 1);
  assert.equal(await other.take('b'), undefined);
  clock.advance(1);
  // To the next sweep.
  clock.advance(10_000);
  for (const key of ['b', 'b', 'c', 'd', 'e']) await becomesFree(() => other.take(key));
  assert.equal(await other.take('f'), undefined);
});

test('processes that reach for the last places at once get those that there are, and lose none', async (t) => {
  const { places } = await openPlaces(t, 'postgres', 3);
  for (let round = 0; round < 10; round += 1) {
    const tries = places.flatMap((process, at) =>
      Array.from({ length: 4 }, (_, index) => process.take(`${round} ${at} ${index}`)),
    );
    const held = (await Promise.all(tries)).filter((giveBack) => giveBack !== undefined);
    // Those given back in the round before may be on their way yet.
    if (round === 0) assert.equal(held.length, spec.places_max);
    assert.ok(held.length <= spec.places_max, `${held.length} places`);
    for (const giveBack of held) giveBack();
    const [process] = places;
    assert.ok(process);
    const all = Array.from({ length: spec.places_max }, (_, index) =>
      becomesFree(() => process.take(`${round} all ${index}`)),
    );
    for (const giveBack of await Promise.all(all)) giveBack();
  }
});

/** Breaks the connection on which a statement of `begin` waits for the count of places. */
async function breakWhile(watcher: Storage, begin: () => void): Promise<void> {
  const { direct } = watcher;
  assert.ok(direct);
  await direct.transaction().execute(async (tx) => {
    await sql`select places from limit_total for update`.execute(tx);
    begin();
    for (let broken = 0; broken === 0; ) {
      const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'
          and query like '%limit_place%' and pid <> pg_backend_pid()`.execute(tx);
      broken = rows.length;
    }
  });
}

/** Gives out every place there is, and no more; then takes them back. */
async function assertCountIsTrue(places: Places): Promise<void> {
  const keys = Array.from({ length: spec.places_max }, (_, index) => `count ${index}`);
  const held = await Promise.all(keys.map((key) => becomesFree(() => places.take(key))));
  assert.equal(await places.take('one more'), undefined);
  for (const giveBack of held) giveBack();
}

test('a place whose giving back breaks off is free soon after, long before its time is over [BAR-187]', async (t) => {
  const {
    places: [places],
    kept,
  } = await openPlaces(t, 'postgres');
  assert.ok(places);
  const held = [await places.take('a'), await places.take('a')];
  assert.equal(await places.take('a'), undefined);
  await breakWhile(kept.beside(), () => held[0]?.());
  const again = await becomesFree(() => places.take('a'));
  assert.equal(await places.take('a'), undefined);
  again();
  held[1]?.();
  await assertCountIsTrue(places);
});

test('a place whose taking or giving back is done and not answered is counted once, and free soon after', async (t) => {
  const { kept, clock } = await openPlaces(t, 'postgres');
  const { direct } = kept.storage;
  assert.ok(direct);
  let is_answer_lost = false;
  const deaf = direct.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (is_answer_lost) throw new Error('the answer was lost');
      return result;
    },
  });
  const limits = openLimits({ storage: { ...kept.storage, direct: deaf }, clock });
  t.after(() => limits.close());
  const places = limits.places(spec);
  const first = await places.take('a');
  assert.ok(first);

  is_answer_lost = true;
  await assert.rejects(places.take('a'), /the answer was lost/);
  is_answer_lost = false;
  const second = await becomesFree(() => places.take('a'));
  assert.equal(await places.take('a'), undefined);

  is_answer_lost = true;
  first();
  second();
  await assert.rejects(places.take('b'));
  is_answer_lost = false;
  await assertCountIsTrue(places);
  const again = [await places.take('a'), await places.take('a')];
  assert.ok(again[0] && again[1]);
  // To the next try, which takes nothing from who came after, and once more for what it has left.
  for (let tries = 0; tries < 2; tries += 1) {
    clock.advance(5_000);
    await places.take('a');
  }
  assert.equal(await places.take('a'), undefined, 'both are still held');
});

test('places are given out again after PostgreSQL crashed and emptied their tables', async (t) => {
  const {
    places: [places],
    kept,
  } = await openPlaces(t, 'postgres');
  assert.ok(places);
  const before = await places.take('a');
  assert.ok(before);
  const { direct } = kept.storage;
  assert.ok(direct);
  await sql`truncate limit_place, limit_total`.execute(direct);
  // What was held before the crash is not given back to those who come after it.
  assert.ok(await places.take('a'));
  before();
  assert.ok(await places.take('a'));
  assert.equal(await places.take('a'), undefined);
});
