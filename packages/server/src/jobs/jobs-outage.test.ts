import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { forEachEngine } from '../../../../tests/support/engines.ts';
import { openTestStorage } from '../../../../tests/support/open-storage.ts';
import { startPostgres } from '../../../../tests/support/postgres.ts';
import { system_clock } from '../clock.ts';
import { MovableClock } from '../movable-clock.ts';
import { system_random } from '../random.ts';
import { openPostgres } from '../storage/postgres/open-postgres.ts';
import { type Engine, type Storage, StorageUnavailableError } from '../storage/storage.ts';
import { type Jobs, openJobs } from './jobs.ts';
import { jobs_migrations } from './jobs-tables.ts';

const lease_ms = 60_000;
const becomes_within_ms = 10_000;
const logger = pino({ level: 'silent' });

/** The clock of a house that stands: no lease ends by itself. */
const stoppedClock = () => new MovableClock(system_clock, { stopped: true });

/** Waits for what happens in the background. */
async function becomes(isSo: () => Promise<boolean> | boolean): Promise<void> {
  const ends_at = system_clock.now() + becomes_within_ms;
  while (!(await isSo())) {
    assert.ok(system_clock.now() < ends_at, 'it did not come to be');
    await sleep(5);
  }
}

/** How the storage of a process answers: not at all, or with the answer lost on its way. */
type Trouble = 'none' | 'away' | 'unanswered';

/** A process whose writes can be troubled; `storage` is beside it, and is not. */
async function openTroubled(t: TestContext, engine: Engine) {
  const kept = await openTestStorage(engine);
  const { storage } = kept;
  await storage.migrate(jobs_migrations);
  const clock = stoppedClock();
  let trouble: Trouble = 'none';
  let failed = 0;
  const troubled: Storage = {
    ...storage,
    async transact(work) {
      const met = trouble;
      const value = met === 'away' ? undefined : await storage.transact(work);
      if (met === 'none') return value as never;
      failed += 1;
      throw new StorageUnavailableError('troubled by the test');
    },
  };
  const jobs = openJobs({ storage: troubled, clock, random: system_random, logger });
  t.after(async () => {
    trouble = 'none';
    await jobs.stop();
    await kept[Symbol.asyncDispose]();
  });
  return {
    storage,
    clock,
    jobs,
    failures: () => failed,
    begin(next: Trouble) {
      failed = 0;
      trouble = next;
    },
    enqueue: (kind: string, key = 'k') =>
      storage.transact((tx) => jobs.enqueue(tx, { kind, key, payload: null })),
    rows: (kind: string) =>
      storage.read.selectFrom('job').selectAll().where('kind', '=', kind).execute(),
  };
}

/** Registers a kind whose runs wait at a gate, and counts them. */
function gated(jobs: Jobs, kind: string, retry: () => number | undefined = () => undefined) {
  const gates: PromiseWithResolvers<void>[] = [];
  jobs.register(kind, {
    async run() {
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      await gate.promise;
    },
    retry,
  });
  return gates;
}

forEachEngine((engine) => {
  test('the end of a job that cannot be written is written once the database is back, and what waited for it goes on', async (t) => {
    const house = await openTroubled(t, engine);
    const gates = gated(house.jobs, 'call');
    house.jobs.start();
    await house.enqueue('call');
    await becomes(() => gates.length === 1);
    await house.enqueue('call');
    house.begin('away');
    gates[0]?.resolve();
    await becomes(() => house.failures() >= 3);
    assert.equal((await house.rows('call')).length, 2);
    assert.equal(gates.length, 1);
    house.begin('none');
    // The clock stands, so that no lease runs out.
    await becomes(() => gates.length === 2);
    assert.deepEqual(
      (await house.rows('call')).map(({ state, attempt }) => ({ state, attempt })),
      [{ state: 'running', attempt: 1 }],
    );
    gates[1]?.resolve();
    await becomes(async () => (await house.rows('call')).length === 0);
  });

  test('the end of a job that another process has taken over meanwhile changes nothing', async (t) => {
    const house = await openTroubled(t, engine);
    const gates = gated(house.jobs, 'call');
    house.jobs.start();
    await house.enqueue('call');
    await becomes(() => gates.length === 1);
    house.begin('away');
    gates[0]?.resolve();
    await becomes(() => house.failures() >= 1);
    await house.storage.transact(({ db }) =>
      db
        .updateTable('job')
        .set({ worker: 'another', attempt: 2, claimable_at: house.clock.now() + lease_ms })
        .where('kind', '=', 'call')
        .execute(),
    );
    house.begin('none');
    await house.enqueue('call', 'other');
    await becomes(() => gates.length === 2);
    gates[1]?.resolve();
    await becomes(async () => (await house.rows('call')).length === 1);
    await house.jobs.stop();
    const [row] = await house.rows('call');
    assert.deepEqual([row?.worker, row?.attempt, row?.state], ['another', 2, 'running']);
  });

  test('a claim whose answer was lost is given back, and the job runs', async (t) => {
    const house = await openTroubled(t, engine);
    house.jobs.start();
    await house.enqueue('call');
    house.begin('unanswered');
    const gates = gated(house.jobs, 'call');
    await becomes(async () => (await house.rows('call'))[0]?.state === 'running');
    await becomes(() => house.failures() >= 1);
    assert.equal(gates.length, 0);
    house.begin('none');
    await becomes(() => gates.length === 1);
    gates[0]?.resolve();
    await becomes(async () => (await house.rows('call')).length === 0);
  });

  test('a job that fails since the database is away runs again, whatever its handler says of failures', async (t) => {
    const house = await openTroubled(t, engine);
    const attempts: number[] = [];
    house.jobs.register('call', {
      async run(_, { attempt }) {
        attempts.push(attempt);
        if (attempts.length === 1) throw new StorageUnavailableError('troubled by the test');
      },
      retry: () => undefined,
    });
    house.jobs.start();
    await house.enqueue('call');
    await becomes(() => attempts.length === 1);
    await becomes(async () => (await house.rows('call'))[0]?.state === 'waiting');
    house.clock.advance(1_000);
    await becomes(() => attempts.length === 2);
    await becomes(async () => (await house.rows('call')).length === 0);
    assert.deepEqual(attempts, [1, 1]);
  });

  test('stop does not wait for a database that is away', async (t) => {
    const house = await openTroubled(t, engine);
    const gates = gated(house.jobs, 'call');
    house.jobs.start();
    await house.enqueue('call');
    await becomes(() => gates.length === 1);
    house.begin('away');
    gates[0]?.resolve();
    await becomes(() => house.failures() >= 4);
    const began_at = system_clock.now();
    await house.jobs.stop();
    assert.ok(system_clock.now() - began_at < 900, 'it waited for a pause to end');
    assert.equal((await house.rows('call'))[0]?.state, 'running');
  });
});

forEachEngine((engine) => {
  if (engine !== 'postgres') return;
  test('two processes go on with their jobs at once when PostgreSQL was killed and is back, and never run one of a key beside another', async (t) => {
    const cluster = await startPostgres();
    const clock = stoppedClock();
    const storages = [openPostgres(cluster.url, 4), openPostgres(cluster.url, 4)] as const;
    const all_jobs = storages.map((storage) =>
      openJobs({ storage, clock, random: system_random, logger }),
    );
    t.after(async () => {
      for (const jobs of all_jobs) await jobs.stop();
      for (const storage of storages) await storage.close();
      await cluster.stop();
    });
    const [{ transact, read }] = storages;
    await storages[0].migrate(jobs_migrations);
    const keys = ['a', 'b', 'c', 'd'];
    const running = new Map<string, number>();
    const done: string[] = [];
    let gate = Promise.withResolvers<void>();
    for (const jobs of all_jobs) {
      jobs.register('call', {
        async run(payload) {
          const { key, step } = payload as { key: string; step: number };
          running.set(key, (running.get(key) ?? 0) + 1);
          assert.equal(running.get(key), 1, `two jobs of ${key} run at once`);
          await gate.promise;
          running.set(key, (running.get(key) ?? 0) - 1);
          done.push(`${key}${step}`);
        },
        retry: () => undefined,
      });
      jobs.start();
    }
    const enqueue = (step: number) =>
      transact(async (tx) => {
        for (const key of keys) {
          await all_jobs[0]?.enqueue(tx, { kind: 'call', key, payload: { key, step } });
        }
      });
    const isDone = async () => {
      const rows = await read.selectFrom('job').select('id').where('kind', '=', 'call').execute();
      return rows.length === 0;
    };
    await enqueue(1);
    await becomes(
      () => [...running.values()].filter((count) => count === 1).length === keys.length,
    );
    await enqueue(2);
    await cluster.crash();
    gate.resolve();
    await becomes(() => done.length === keys.length);
    gate = Promise.withResolvers();
    gate.resolve();
    // Until some tries have failed.
    await sleep(500);
    await cluster.restart();
    // The clock stands: a lease that has to run out would never do so.
    await becomes(() => isDone().catch(() => false));
    assert.deepEqual(
      done.toSorted(),
      keys.flatMap((key) => [`${key}1`, `${key}2`]),
    );
  });
});
