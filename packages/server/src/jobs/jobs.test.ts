import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { forEachEngine } from '../../../../tests/support/engines.ts';
import { createDatabase } from '../../../../tests/support/postgres.ts';
import { temporaryFolder } from '../../../../tests/support/temporary-folder.ts';
import { system_clock } from '../clock.ts';
import { MovableClock } from '../movable-clock.ts';
import { system_random } from '../random.ts';
import { openPostgres } from '../storage/postgres/open-postgres.ts';
import { openSqlite } from '../storage/sqlite/open-sqlite.ts';
import type { Engine, Storage } from '../storage/storage.ts';
import { type Jobs, type NewJob, openJobs } from './jobs.ts';
import { jobs_migrations } from './jobs-tables.ts';

const start = Date.UTC(2026, 0, 1);
const lease_ms = 60_000;
const becomes_within_ms = 10_000;
const logger = pino({ level: 'silent' });
const noRetry = () => undefined;

/** A database with a clock, on which processes of one house can be started. */
async function openTestHouse(t: TestContext, engine: Engine) {
  const database = engine === 'postgres' ? await createDatabase() : undefined;
  const folder = temporaryFolder();
  const storages: Storage[] = [];
  const all_jobs: Jobs[] = [];
  const clock = new MovableClock(system_clock, { start, stopped: true });
  const openStorage = () => {
    const storage = database
      ? openPostgres(database.url, 4)
      : openSqlite(join(folder.path, 'stoa.db'));
    storages.push(storage);
    return storage;
  };
  const storage = openStorage();
  await storage.migrate(jobs_migrations);
  t.after(async () => {
    for (const jobs of all_jobs) await jobs.stop();
    for (const opened of storages) await opened.close();
    await database?.drop();
    folder.remove();
  });
  return {
    clock,
    storage,
    /** Jobs of one more process; on SQLite it shares the one connection. */
    openProcess({ is_deaf = false } = {}) {
      const own = engine === 'postgres' && all_jobs.length > 0 ? openStorage() : storage;
      const heard = is_deaf ? { ...own, onWake: () => {} } : own;
      const jobs = openJobs({ storage: heard, clock, random: system_random, logger });
      all_jobs.push(jobs);
      return jobs;
    },
    enqueue: (jobs: Jobs, job: NewJob) => storage.transact((tx) => jobs.enqueue(tx, job)),
    rows: (kind: string) =>
      storage.read.selectFrom('job').selectAll().where('kind', '=', kind).execute(),
  };
}

/** Waits for what happens in the background. */
async function becomes(isSo: () => Promise<boolean> | boolean): Promise<void> {
  const ends_at = system_clock.now() + becomes_within_ms;
  while (!(await isSo())) {
    assert.ok(system_clock.now() < ends_at, 'it did not come to be');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Some turns of the event loop and of the database, for what should not happen. */
async function settle({ storage }: { storage: Storage }): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    await storage.transact(async ({ db }) => db.selectFrom('job').select('id').execute());
    await storage.ping();
  }
}

forEachEngine((engine) => {
  test('enqueue has a job run once, with its payload, and leaves nothing behind', async (t) => {
    const house = await openTestHouse(t, engine);
    const jobs = house.openProcess();
    const runs: unknown[] = [];
    jobs.register('greet', {
      run: async (payload, { attempt }) => runs.push([payload, attempt]),
      retry: noRetry,
    });
    jobs.start();
    await house.enqueue(jobs, { kind: 'greet', payload: { to: 'Ä', n: [1, null] } });
    await becomes(async () => runs.length > 0 && (await house.rows('greet')).length === 0);
    await settle(house);
    assert.deepEqual(runs, [[{ to: 'Ä', n: [1, null] }, 1]]);
  });

  test('enqueue adds nothing when the transaction of the caller is undone', async (t) => {
    const house = await openTestHouse(t, engine);
    const jobs = house.openProcess();
    const refusal = new Error('refused');
    const refused = house.storage.transact(async (tx) => {
      await jobs.enqueue(tx, { kind: 'a', payload: 1 });
      throw refusal;
    });
    await assert.rejects(refused, refusal);
    assert.deepEqual(await house.rows('a'), []);
  });

  test('a job waits for its time, and for a process that knows its kind', async (t) => {
    const house = await openTestHouse(t, engine);
    const jobs = house.openProcess();
    let runs = 0;
    jobs.start();
    await house.enqueue(jobs, { kind: 'late', payload: null, due_at: start + 1_500 });
    await settle(house);
    jobs.register('late', {
      run: async () => {
        runs += 1;
      },
      retry: noRetry,
    });
    await settle(house);
    assert.equal(runs, 0);
    house.clock.advance(1_499);
    await settle(house);
    assert.equal(runs, 0);
    house.clock.advance(1);
    await becomes(() => runs === 1);
  });

  test('a lost wake-up delays a job at most by two seconds', async (t) => {
    const house = await openTestHouse(t, engine);
    const jobs = house.openProcess({ is_deaf: true });
    let runs = 0;
    jobs.register('a', {
      run: async () => {
        runs += 1;
      },
      retry: noRetry,
    });
    jobs.start();
    // What a process looks after at its start is over.
    await becomes(async () => {
      const [row] = await house.rows('jobs.forget-failed');
      return row?.state === 'waiting' && row.started_at !== null;
    });
    await settle(house);
    await house.enqueue(jobs, { kind: 'a', payload: 1 });
    await settle(house);
    assert.equal(runs, 0);
    house.clock.advance(2_000);
    await becomes(() => runs === 1);
  });

  test('a key adds nothing while a job of its kind and key waits, and waits for one that runs', async (t) => {
    const house = await openTestHouse(t, engine);
    const jobs = house.openProcess();
    const runs: unknown[] = [];
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    jobs.register('feed', {
      run: async (payload) => {
        runs.push(payload);
        await gates[runs.length - 1]?.promise;
      },
      retry: noRetry,
    });
    for (const [key, payload] of [
      ['x', 1],
      ['x', 2],
      ['y', 3],
      ['x', 4],
    ] as const) {
      await house.enqueue(jobs, { kind: 'feed', key, payload });
    }
    assert.equal((await house.rows('feed')).length, 2);
    jobs.start();
    await becomes(() => runs.length === 2);
    assert.deepEqual(new Set(runs), new Set([1, 3]));
    await house.enqueue(jobs, { kind: 'feed', key: 'x', payload: 5 });
    await house.enqueue(jobs, { kind: 'feed', key: 'x', payload: 6 });
    await settle(house);
    assert.equal(runs.length, 2, 'the key is being run');
    for (const gate of gates) gate.resolve();
    await becomes(async () => (await house.rows('feed')).length === 0);
    assert.deepEqual(runs.slice(2), [5]);
  });

  test('a key brings a waiting job of its kind and key forward, and never puts it off', async (t) => {
    const house = await openTestHouse(t, engine);
    const jobs = house.openProcess();
    for (const due_in_ms of [60_000, 5_000, 90_000]) {
      const due_at = start + due_in_ms;
      await house.enqueue(jobs, { kind: 'feed', key: 'x', due_at, payload: due_in_ms });
    }
    const rows = await house.rows('feed');
    assert.deepEqual(
      rows.map(({ payload, claimable_at }) => [payload, claimable_at]),
      [['60000', start + 5_000]],
    );
  });

  test('of a kind with a bound of its own no more run at a time, and others go on', async (t) => {
    const house = await openTestHouse(t, engine);
    const jobs = house.openProcess();
    const gates: (() => void)[] = [];
    const runs: unknown[] = [];
    let running = 0;
    let most = 0;
    jobs.register('slow', {
      running_max: 2,
      run: async (payload) => {
        runs.push(payload);
        running += 1;
        most = Math.max(most, running);
        await new Promise<void>((resolve) => gates.push(resolve));
        running -= 1;
      },
      retry: noRetry,
    });
    let quick_runs = 0;
    jobs.register('quick', {
      run: async () => {
        quick_runs += 1;
      },
      retry: noRetry,
    });
    await house.storage.transact(async (tx) => {
      for (let n = 0; n < 12; n += 1) await jobs.enqueue(tx, { kind: 'slow', payload: n });
      await jobs.enqueue(tx, { kind: 'quick', due_at: start + 1, payload: null });
    });
    house.clock.advance(1);
    jobs.start();
    await becomes(() => quick_runs === 1 && running === 2);
    while (runs.length < 12 || running > 0) {
      for (const open of gates.splice(0)) open();
      await settle(house);
    }
    assert.equal(most, 2);
    assert.equal(new Set(runs).size, 12);
  });

  test('a job that throws runs again after the delay of its handler, until that gives up', async (t) => {
    const house = await openTestHouse(t, engine);
    const jobs = house.openProcess();
    const runs: number[] = [];
    jobs.register('fails', {
      run: async (_, { attempt }) => {
        runs.push(attempt);
        throw new TypeError('the password is hunter2');
      },
      retry: (attempt) => (attempt < 3 ? attempt * 10_000 : undefined),
    });
    jobs.start();
    await house.enqueue(jobs, { kind: 'fails', payload: 1 });
    const isWaiting = async () => (await house.rows('fails'))[0]?.state === 'waiting';
    await becomes(async () => runs.length === 1 && (await isWaiting()));
    house.clock.advance(9_999);
    await settle(house);
    assert.deepEqual(runs, [1]);
    house.clock.advance(1);
    await becomes(async () => runs.length === 2 && (await isWaiting()));
    house.clock.advance(20_000);
    await becomes(async () => (await house.rows('fails'))[0]?.state === 'failed');
    house.clock.advance(lease_ms * 10);
    await settle(house);
    assert.deepEqual(runs, [1, 2, 3]);
    const [row] = await house.rows('fails');
    assert.equal(row?.reason, 'TypeError');
    assert.ok(!JSON.stringify(row).includes('hunter2'));
  });

  test('a retry makes way for a waiting job of its key', async (t) => {
    const house = await openTestHouse(t, engine);
    const jobs = house.openProcess();
    const runs: unknown[] = [];
    const gate = Promise.withResolvers<void>();
    jobs.register('feed', {
      run: async (payload) => {
        runs.push(payload);
        if (payload === 'first') {
          await gate.promise;
          throw new Error('no');
        }
      },
      retry: () => 10_000,
    });
    jobs.start();
    await house.enqueue(jobs, { kind: 'feed', key: 'x', payload: 'first' });
    await becomes(() => runs.length === 1);
    await house.enqueue(jobs, { kind: 'feed', key: 'x', payload: 'second' });
    gate.resolve();
    await becomes(async () => (await house.rows('feed')).length === 0);
    assert.deepEqual(runs, ['first', 'second']);
  });

  test('a failed job is forgotten after seven days', async (t) => {
    const house = await openTestHouse(t, engine);
    const jobs = house.openProcess();
    jobs.register('fails', {
      run: async () => {
        throw new Error('no');
      },
      retry: noRetry,
    });
    jobs.start();
    await house.enqueue(jobs, { kind: 'fails', payload: 1 });
    await becomes(async () => (await house.rows('fails'))[0]?.state === 'failed');
    house.clock.advance(7 * 86_400_000 - 1);
    await settle(house);
    assert.equal((await house.rows('fails')).length, 1);
    house.clock.advance(3_600_000);
    await becomes(async () => (await house.rows('fails')).length === 0);
  });

  test('at most eight jobs run in a process at a time', async (t) => {
    const house = await openTestHouse(t, engine);
    const jobs = house.openProcess();
    const gates: (() => void)[] = [];
    let most = 0;
    let running = 0;
    let runs = 0;
    jobs.register('slow', {
      run: async () => {
        runs += 1;
        running += 1;
        most = Math.max(most, running);
        await new Promise<void>((resolve) => gates.push(resolve));
        running -= 1;
      },
      retry: noRetry,
    });
    jobs.start();
    await house.storage.transact(async (tx) => {
      for (let n = 0; n < 20; n += 1) await jobs.enqueue(tx, { kind: 'slow', payload: n });
    });
    await becomes(() => running === 8);
    await settle(house);
    while (runs < 20 || running > 0) {
      for (const open of gates.splice(0)) open();
      await settle(house);
    }
    assert.equal(most, 8);
    assert.equal(runs, 20);
  });

  test('two processes never run a job at the same time, nor one that is done again', async (t) => {
    const house = await openTestHouse(t, engine);
    const processes = [house.openProcess(), house.openProcess()];
    const runs = new Map<unknown, number>();
    for (const jobs of processes) {
      jobs.register('count', {
        run: async (payload) => {
          runs.set(payload, (runs.get(payload) ?? 0) + 1);
          await new Promise((resolve) => setImmediate(resolve));
        },
        retry: noRetry,
      });
      jobs.start();
    }
    const [jobs] = processes;
    assert.ok(jobs);
    await Promise.all(
      Array.from({ length: 100 }, (_, n) => house.enqueue(jobs, { kind: 'count', payload: n })),
    );
    await becomes(async () => (await house.rows('count')).length === 0);
    assert.deepEqual([...runs.values()], Array(100).fill(1));
  });

  test('the job of a process that died is taken over when its lease is over', async (t) => {
    const house = await openTestHouse(t, engine);
    const dead = house.openProcess();
    const gate = Promise.withResolvers<void>();
    let dead_runs = 0;
    dead.register('a', {
      run: async () => {
        dead_runs += 1;
        await gate.promise;
      },
      retry: noRetry,
    });
    dead.start();
    await house.enqueue(dead, { kind: 'a', payload: 'p' });
    await becomes(() => dead_runs === 1);
    // A dead process lengthens no lease; this one is alive and well, and its row shows it as dead.
    await house.storage.transact(({ db }) =>
      db.updateTable('job').set({ worker: 'dead' }).where('kind', '=', 'a').execute(),
    );
    const heir = house.openProcess();
    const runs: unknown[] = [];
    heir.register('a', {
      run: async (payload, { attempt }) => runs.push([payload, attempt]),
      retry: noRetry,
    });
    heir.start();
    await settle(house);
    house.clock.advance(lease_ms - 1);
    await settle(house);
    assert.deepEqual(runs, []);
    house.clock.advance(1);
    await becomes(async () => runs.length === 1);
    assert.deepEqual(runs, [['p', 2]]);
    await becomes(async () => (await house.rows('a')).length === 0);
    assert.equal(dead_runs, 1);
    gate.resolve();
  });

  test('the lease of a job is lengthened as long as it runs', async (t) => {
    const house = await openTestHouse(t, engine);
    const [first, second] = [house.openProcess(), house.openProcess()];
    const gate = Promise.withResolvers<void>();
    let runs = 0;
    const handler = {
      run: async () => {
        runs += 1;
        await gate.promise;
      },
      retry: noRetry,
    };
    first.register('long', handler);
    first.start();
    await house.enqueue(first, { kind: 'long', payload: 1 });
    await becomes(() => runs === 1);
    second.register('long', handler);
    second.start();
    for (let step = 0; step < 10; step += 1) {
      house.clock.advance(lease_ms / 3);
      await becomes(async () => {
        const [row] = await house.rows('long');
        return row?.claimable_at === house.clock.now() + lease_ms;
      });
      await settle(house);
    }
    assert.equal(runs, 1);
    gate.resolve();
    await becomes(async () => (await house.rows('long')).length === 0);
  });

  test('a process that has lost a job is signalled, and its end changes nothing', async (t) => {
    const house = await openTestHouse(t, engine);
    const loser = house.openProcess();
    let signal: AbortSignal | undefined;
    const gate = Promise.withResolvers<void>();
    loser.register('a', {
      run: async (_, context) => {
        signal = context.signal;
        await gate.promise;
      },
      retry: noRetry,
    });
    loser.start();
    await house.enqueue(loser, { kind: 'a', payload: 1 });
    await becomes(() => signal !== undefined);
    await house.storage.transact(({ db }) =>
      db.updateTable('job').set({ worker: 'another' }).where('kind', '=', 'a').execute(),
    );
    house.clock.advance(lease_ms / 3);
    await becomes(() => signal?.aborted === true);
    gate.resolve();
    await settle(house);
    assert.equal((await house.rows('a'))[0]?.worker, 'another');
  });

  test('a job that ten processes died of is given up', async (t) => {
    const house = await openTestHouse(t, engine);
    const jobs = house.openProcess();
    await house.enqueue(jobs, { kind: 'killer', payload: 1 });
    await house.storage.transact(({ db }) =>
      db
        .updateTable('job')
        .set({
          state: 'running',
          worker: 'dead',
          attempt: 10,
          claimable_at: start,
          started_at: start,
        })
        .where('kind', '=', 'killer')
        .execute(),
    );
    let runs = 0;
    jobs.register('killer', {
      run: async () => {
        runs += 1;
      },
      retry: () => 0,
    });
    jobs.start();
    await becomes(async () => (await house.rows('killer'))[0]?.state === 'failed');
    assert.equal((await house.rows('killer'))[0]?.reason, 'lost');
    assert.equal(runs, 0);
  });

  test('stop waits for what runs', async (t) => {
    const house = await openTestHouse(t, engine);
    const jobs = house.openProcess();
    const gate = Promise.withResolvers<void>();
    let signal: AbortSignal | undefined;
    jobs.register('a', {
      run: async (_, context) => {
        signal = context.signal;
        await gate.promise;
      },
      retry: noRetry,
    });
    jobs.start();
    await house.enqueue(jobs, { kind: 'a', payload: 1 });
    await becomes(() => signal !== undefined);
    let is_stopped = false;
    const stopped = jobs.stop().then(() => {
      is_stopped = true;
    });
    await house.enqueue(jobs, { kind: 'a', payload: 2 });
    await settle(house);
    assert.equal(is_stopped, false);
    assert.equal(signal?.aborted, false);
    gate.resolve();
    await stopped;
    assert.equal((await house.rows('a')).length, 1, 'the other job waits for the next start');
  });

  test('stop signals what goes on for too long, which runs again later as if for the first time', async (t) => {
    const house = await openTestHouse(t, engine);
    const jobs = house.openProcess();
    let is_running = false;
    jobs.register('a', {
      run: (_, { signal }) => {
        is_running = true;
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        );
      },
      retry: noRetry,
    });
    jobs.start();
    await house.enqueue(jobs, { kind: 'a', payload: 1 });
    await becomes(() => is_running);
    const stopped = jobs.stop();
    await settle(house);
    house.clock.advance(10_000);
    await stopped;
    const [row] = await house.rows('a');
    assert.deepEqual([row?.state, row?.attempt], ['waiting', 0]);
  });

  test('a periodic job runs at once, then never more often than its period, also over restarts', async (t) => {
    const house = await openTestHouse(t, engine);
    let runs = 0;
    const periodic = {
      every_ms: 3_600_000,
      run: async () => {
        runs += 1;
      },
    };
    const first = house.openProcess();
    first.every('tick', periodic);
    first.start();
    await becomes(async () => runs === 1 && (await house.rows('tick'))[0]?.state === 'waiting');
    house.clock.advance(3_599_999);
    await settle(house);
    assert.equal(runs, 1);
    await first.stop();
    const second = house.openProcess();
    second.every('tick', periodic);
    second.start();
    await settle(house);
    assert.equal(runs, 1);
    house.clock.advance(1);
    await becomes(async () => runs === 2 && (await house.rows('tick'))[0]?.state === 'waiting');
    house.clock.advance(10 * 3_600_000);
    await becomes(async () => runs === 3 && (await house.rows('tick'))[0]?.state === 'waiting');
    await settle(house);
    assert.equal(runs, 3, 'what was missed is not made up');
  });

  test('a periodic job takes on another period at the next start', async (t) => {
    const house = await openTestHouse(t, engine);
    let runs = 0;
    const run = async () => {
      runs += 1;
    };
    const first = house.openProcess();
    first.every('tick', { every_ms: 3_600_000, run });
    first.start();
    await becomes(async () => runs === 1 && (await house.rows('tick'))[0]?.state === 'waiting');
    await first.stop();
    const second = house.openProcess();
    second.every('tick', { every_ms: 600_000, run });
    second.start();
    await settle(house);
    house.clock.advance(600_000);
    await becomes(() => runs === 2);
  });

  test('a periodic job runs in one process at a time, and goes on after a run that threw', async (t) => {
    const house = await openTestHouse(t, engine);
    let running = 0;
    let most = 0;
    let runs = 0;
    for (const jobs of [house.openProcess(), house.openProcess(), house.openProcess()]) {
      jobs.every('tick', {
        every_ms: 5_000,
        run: async () => {
          runs += 1;
          running += 1;
          most = Math.max(most, running);
          await settle(house);
          running -= 1;
          throw new Error('no');
        },
      });
      jobs.start();
    }
    for (let period = 1; period <= 4; period += 1) {
      await becomes(
        async () => runs === period && (await house.rows('tick'))[0]?.state === 'waiting',
      );
      await settle(house);
      assert.equal(runs, period);
      house.clock.advance(5_000);
    }
    assert.equal(most, 1);
    assert.equal((await house.rows('tick')).length, 1);
  });

  test('a periodic job whose process died waits for its period, however short the lease', async (t) => {
    const house = await openTestHouse(t, engine);
    const gate = Promise.withResolvers<void>();
    let dead_runs = 0;
    const dead = house.openProcess();
    dead.every('tick', {
      every_ms: 3_600_000,
      run: async () => {
        dead_runs += 1;
        await gate.promise;
      },
    });
    dead.start();
    await becomes(() => dead_runs === 1);
    await house.storage.transact(({ db }) =>
      db.updateTable('job').set({ worker: 'dead' }).where('kind', '=', 'tick').execute(),
    );
    let runs = 0;
    const heir = house.openProcess();
    heir.every('tick', {
      every_ms: 3_600_000,
      run: async () => {
        runs += 1;
      },
    });
    heir.start();
    house.clock.advance(lease_ms);
    await settle(house);
    house.clock.advance(3_600_000 - lease_ms - 1);
    await settle(house);
    assert.equal(runs, 0);
    house.clock.advance(2_000);
    await becomes(() => runs === 1);
    gate.resolve();
  });

  test('a kind is registered once', async (t) => {
    const house = await openTestHouse(t, engine);
    const jobs = house.openProcess();
    jobs.register('a', { run: async () => {}, retry: noRetry });
    assert.throws(() => jobs.every('a', { every_ms: 1, run: async () => {} }), /two jobs a/);
    assert.throws(() => jobs.register('a', { run: async () => {}, retry: noRetry }), /two jobs a/);
  });
});
