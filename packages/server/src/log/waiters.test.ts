import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { forEachEngine } from '../../../../tests/support/engines.ts';
import { openTestStorage } from '../../../../tests/support/open-storage.ts';
import { system_clock } from '../clock.ts';
import { MovableClock } from '../movable-clock.ts';
import type { Storage } from '../storage/storage.ts';
import { type Log, openLog } from './log.ts';
import { log_migrations } from './log-tables.ts';
import { openWaiters, type Waiters } from './waiters.ts';

const append = (storage: Storage, log: Log, body: string) =>
  storage.transact((tx) => log.append(tx, { stream: 'room', at: 0, seal: () => ({ body }) }));

const turn = () => new Promise((resolve) => setImmediate(resolve));

function reader(waiters: Waiters, log: Log) {
  return (after: number, wait_ms: number, signal = new AbortController().signal) =>
    waiters.waitFor({
      topics: ['room'],
      wait_ms,
      signal,
      read: async () => {
        const entries = await log.readAfter('room', after, 10);
        return entries.length > 0 ? entries.map(({ body }) => body) : undefined;
      },
    });
}

forEachEngine((engine) => {
  test('waitFor answers at once what is there, and what comes as soon as it is committed', async () => {
    await using kept = await openTestStorage(engine);
    await kept.storage.migrate(log_migrations);
    const log = openLog(kept.storage);
    const waiters = openWaiters(kept.storage, system_clock);
    const read = reader(waiters, log);
    await append(kept.storage, log, 'one');
    assert.deepEqual(await read(0, 60_000), ['one']);
    const waiting = Promise.all(Array.from({ length: 100 }, () => read(1, 60_000)));
    await turn();
    assert.equal(waiters.count(), 100);
    await append(kept.storage, log, 'two');
    assert.deepEqual((await waiting).flat(), Array(100).fill('two'));
    assert.equal(waiters.count(), 0);
  });

  test('waitFor misses nothing that is committed between its reads', async () => {
    await using kept = await openTestStorage(engine);
    await kept.storage.migrate(log_migrations);
    const log = openLog(kept.storage);
    // No time passes, so that only a wake-up can end a wait.
    const clock: MovableClock = new MovableClock({ now: () => 0, after: () => () => {} });
    const read = reader(openWaiters(kept.storage, clock), log);
    const total = 300;
    const writing = (async () => {
      for (let index = 0; index < total; index += 1) await append(kept.storage, log, `${index}`);
    })();
    const seen: string[] = [];
    while (seen.length < total) seen.push(...((await read(seen.length, 60_000)) ?? []));
    await writing;
    assert.deepEqual(
      seen,
      Array.from({ length: total }, (_, index) => `${index}`),
    );
  });

  test('waitFor finds nothing when its time is over, its caller is gone or the house closes', async () => {
    await using kept = await openTestStorage(engine);
    await kept.storage.migrate(log_migrations);
    const log = openLog(kept.storage);
    const clock = new MovableClock(system_clock, { stopped: true });
    const waiters = openWaiters(kept.storage, clock);
    const read = reader(waiters, log);
    assert.equal(await read(0, 0), undefined);

    const timed = read(0, 20_000);
    await turn();
    clock.advance(20_000);
    assert.equal(await timed, undefined);

    const leaving = new AbortController();
    const left = read(0, 20_000, leaving.signal);
    await turn();
    leaving.abort();
    assert.equal(await left, undefined);

    const closed = read(0, 20_000);
    await turn();
    waiters.close();
    assert.equal(await closed, undefined);
    assert.equal(waiters.count(), 0);
  });

  test('a lost wake-up delays a waiter to its next re-check, 2 s at most', async () => {
    await using kept = await openTestStorage(engine);
    await kept.storage.migrate(log_migrations);
    const log = openLog(kept.storage);
    const clock = new MovableClock(system_clock, { stopped: true });
    // This storage commits like the other and wakes nobody.
    const deaf: Storage = { ...kept.storage, onWake: () => {} };
    const waiting = reader(openWaiters(deaf, clock), log)(0, 20_000);
    await turn();
    await append(kept.storage, log, 'unheard');
    let is_answered = false;
    void waiting.then(() => {
      is_answered = true;
    });
    clock.advance(1_999);
    await turn();
    assert.equal(is_answered, false);
    clock.advance(1);
    assert.deepEqual(await waiting, ['unheard']);
  });
});

test('what a room keeps beside the log is looked at every 2 s like a stream', async () => {
  await using kept = await openTestStorage('sqlite');
  await kept.storage.migrate(log_migrations);
  const clock = new MovableClock(system_clock, { stopped: true });
  const deaf: Storage = { ...kept.storage, onWake: () => {} };
  const waiters = openWaiters(deaf, clock);
  const asked = new Set<string>();
  let end = 0;
  waiters.watch({
    prefix: 'queue ',
    list: async (names) => {
      for (const name of names) asked.add(name);
      return new Map([['one', end]]);
    },
  });
  let reads = 0;
  const waiting = waiters.waitFor({
    topics: ['queue one', 'queue two', 'room'],
    wait_ms: 60_000,
    signal: new AbortController().signal,
    read: async () => {
      reads += 1;
      return end > 1 ? end : undefined;
    },
  });
  await turn();
  for (end of [1, 1, 1, 2]) {
    clock.advance(2_000);
    for (let index = 0; index < 10; index += 1) await turn();
  }
  assert.equal(await waiting, 2);
  assert.deepEqual([...asked], ['one', 'two']);
  // At first, once as nothing was known of the topics, and as the end has moved.
  assert.ok(reads <= 5, `${reads} reads`);
});

test('whoever waits for long reads no more than once: the heads of all streams are looked at together', async () => {
  await using kept = await openTestStorage('sqlite');
  await kept.storage.migrate(log_migrations);
  const log = openLog(kept.storage);
  // Time passes only when the test lets it.
  const clock = new MovableClock({ now: () => 0, after: () => () => {} }, { stopped: true });
  let statements = 0;
  const deaf: Storage = {
    ...kept.storage,
    onWake: () => {},
    get read() {
      statements += 1;
      return kept.storage.read;
    },
  };
  const waiters = openWaiters(deaf, clock);
  let reads = 0;
  const streams = Array.from({ length: 50 }, (_, index) => `room ${index}`);
  const answers = streams.flatMap((stream) =>
    Array.from({ length: 4 }, () =>
      waiters.waitFor({
        topics: [stream, 'inbox of somebody'],
        wait_ms: 60_000,
        signal: new AbortController().signal,
        read: async () => {
          reads += 1;
          const entries = await log.readAfter(stream, 0, 1);
          return entries.length > 0 ? stream : undefined;
        },
      }),
    ),
  );
  const settle = async () => {
    for (let turns = 0; turns < 20; turns += 1) await turn();
  };
  await settle();
  assert.equal(reads, 200);
  // Where the streams stood when the waits began nobody knows yet.
  clock.advance(2_000);
  await settle();
  assert.equal(reads, 400);
  statements = 0;
  for (let look = 0; look < 10; look += 1) {
    clock.advance(2_000);
    await settle();
  }
  assert.equal(reads, 400);
  assert.equal(statements, 10);

  await kept.storage.transact((tx) =>
    log.append(tx, { stream: 'room 7', at: 0, seal: () => ({ body: 'unheard' }) }),
  );
  clock.advance(2_000);
  await settle();
  assert.equal(reads, 404);
  clock.advance(60_000);
  assert.equal((await Promise.all(answers)).filter((found) => found === 'room 7').length, 4);
  assert.equal(waiters.count(), 0);
});

test('a look at the heads that fails is made up by the next', async () => {
  await using kept = await openTestStorage('sqlite');
  await kept.storage.migrate(log_migrations);
  const log = openLog(kept.storage);
  const clock = new MovableClock(system_clock, { stopped: true });
  let is_away = true;
  const deaf: Storage = {
    ...kept.storage,
    onWake: () => {},
    get read() {
      if (is_away) throw new Error('away');
      return kept.storage.read;
    },
  };
  const waiting = reader(openWaiters(deaf, clock), log)(0, 20_000);
  await turn();
  await append(kept.storage, log, 'unheard');
  for (let look = 0; look < 3; look += 1) {
    clock.advance(2_000);
    await turn();
  }
  is_away = false;
  clock.advance(2_000);
  assert.deepEqual(await waiting, ['unheard']);
});

test('a reader gets every message of another process while LISTEN is severed again and again', async () => {
  await using kept = await openTestStorage('postgres');
  await kept.storage.migrate(log_migrations);
  const other = kept.beside();
  const other_log = openLog(other);
  const read = reader(openWaiters(kept.storage, system_clock), openLog(kept.storage));
  const total = 120;
  const writing = (async () => {
    for (let index = 0; index < total; index += 1) {
      if (index % 20 === 10) {
        await sql`select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'stoa listener' and datname = current_database()`.execute(
          other.read,
        );
      }
      await append(other, other_log, `${index}`);
    }
  })();
  const seen: string[] = [];
  while (seen.length < total) seen.push(...((await read(seen.length, 30_000)) ?? []));
  await writing;
  assert.deepEqual(
    seen,
    Array.from({ length: total }, (_, index) => `${index}`),
  );
});

test('waitFor on several topics is woken by each of them, and by no other', async () => {
  await using kept = await openTestStorage('sqlite');
  await kept.storage.migrate(log_migrations);
  // No time passes, so that only a wake-up can end a wait.
  const clock = new MovableClock({ now: () => 0, after: () => () => {} });
  const waiters = openWaiters(kept.storage, clock);
  const wake = (topic: string) => kept.storage.transact(async (tx) => tx.wake(topic));
  for (const topic of ['one', 'two']) {
    let reads = 0;
    const waiting = waiters.waitFor({
      topics: ['one', 'two', 'one'],
      wait_ms: 60_000,
      signal: new AbortController().signal,
      read: async () => (++reads > 1 ? reads : undefined),
    });
    await turn();
    assert.equal(waiters.count(), 1);
    await wake('three');
    await turn();
    assert.equal(reads, 1);
    await wake(topic);
    assert.equal(await waiting, 2);
    assert.equal(waiters.count(), 0);
  }
});
