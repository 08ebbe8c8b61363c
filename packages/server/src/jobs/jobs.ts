import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Random } from '../random.ts';
import { type Storage, StorageUnavailableError, type Tx } from '../storage/storage.ts';
import { JobLeases } from './job-leases.ts';
import * as store from './jobs-store.ts';

export type NewJob = {
  kind: string;
  /**
   * While a job of this kind and key waits, another adds nothing but its time, if that is earlier. While one
   * runs, another waits for it.
   */
  key?: string;
  /** When to run it, in milliseconds since 1970; at once if not given. */
  due_at?: number;
  /** What JSON can say. */
  payload: unknown;
};

export type RunContext = {
  /** 1 for the first run. */
  attempt: number;
  /** Given when the house stops, or when another process has taken the job over: end at once. */
  signal: AbortSignal;
};

export type JobHandler = {
  /** Jobs of this kind that a process runs at a time, so that they leave room for others. */
  running_max?: number;
  /** Does the job, outside of any transaction, and maybe more than once: a process may die before it can say that it is done. */
  run(payload: unknown, context: RunContext): Promise<unknown>;
  /** Milliseconds to wait after run number `attempt` threw; undefined gives up. */
  retry(attempt: number): number | undefined;
};

export type PeriodicJob = {
  /** Least milliseconds from one run's begin to the next one's, also over restarts. */
  every_ms: number;
  /** A run that throws is logged, and made up by the next. */
  run(context: Pick<RunContext, 'signal'>): Promise<unknown>;
};

/** Work that is done later, kept in the database until it is done. */
export type Jobs = {
  /** Adds a job with the caller's transaction: it exists if and only if that is committed. */
  enqueue(tx: Tx, job: NewJob): Promise<void>;
  /** Says how jobs of `kind` are done. Throws if it was said before. */
  register(kind: string, handler: JobHandler): void;
  /** Runs something over and over, in one process of the house at a time. Throws if `kind` is taken. */
  every(kind: string, periodic: PeriodicJob): void;
  /** Begins to take jobs. */
  start(): void;
  /**
   * Takes no more jobs and resolves once the running ones are over. Those not over after ten seconds are
   * given their signal, and two seconds later left behind: they run again when the house is back.
   */
  stop(): Promise<void>;
};

const topic = 'jobs';
/** A lost wake-up delays a job at most by this. */
const recheck_ms = 2_000;
/** Jobs that a process runs at a time. */
const running_max = 8;
/** A process that died holds its jobs at most for this long. Clocks of the house's processes agree better. */
const lease_ms = 60_000;
/** Times that a job is taken over from a process that died in it: it may be what kills them. */
const lost_attempts_max = 10;
const failed_kept_ms = 7 * 86_400_000;
const forget_every_ms = 3_600_000;
const stop_wait_ms = 10_000;
const abort_wait_ms = 2_000;
/** Pauses between tries to write what became of a job while the database is away; the last one goes on. */
const settle_pauses_ms = [100, 300, 1_000] as const;
/** When a job runs again that failed because the database was away. */
const away_retry_ms = 1_000;

/** Background jobs of the house whose database is `storage`; any number of processes share them. */
export function openJobs(house: {
  storage: Storage;
  clock: Clock;
  random: Random;
  logger: Logger;
}): Jobs {
  const { storage, clock, random, logger } = house;
  const newId = () => random.bytes(16).toString('hex');
  const worker = newId();
  const handlers = new Map<string, JobHandler>();
  const periodics = new Map<string, PeriodicJob>();
  /** Periodic jobs whose row this process has not yet seen to. */
  const unplanned = new Set<string>();
  const leases = new JobLeases({ storage, clock, logger, worker, lease_ms });
  const stopping = new AbortController();
  /** Whether jobs may be claimed by this process that it does not run: a claim or an end was not answered. */
  let may_hold_more = false;
  let looking: Promise<void> | undefined;
  let has_rung = false;
  let is_open = false;
  let cancelRecheck = () => {};

  function refuseTaken(kind: string): void {
    if (handlers.has(kind) || periodics.has(kind)) throw new Error(`there are two jobs ${kind}`);
  }

  /** Looks for jobs to run; when it is looking already, once more after that. */
  function look(): void {
    has_rung = true;
    if (is_open)
      looking ??= lookUntilQuiet().finally(() => {
        looking = undefined;
      });
  }

  async function lookUntilQuiet(): Promise<void> {
    let delay_ms = recheck_ms;
    while (has_rung && is_open) {
      has_rung = false;
      cancelRecheck();
      try {
        await planPeriodics();
        delay_ms = await takeJobs();
      } catch (error) {
        may_hold_more = true;
        logger.warn({ err: error }, 'jobs could not be taken');
        delay_ms = recheck_ms;
      }
    }
    if (is_open) cancelRecheck = clock.after(delay_ms, look);
  }

  async function planPeriodics(): Promise<void> {
    for (const kind of unplanned) {
      const every_ms = periodics.get(kind)?.every_ms ?? 0;
      await storage.transact(async ({ db }) => {
        const now = clock.now();
        const live = await store.findLive(db, kind);
        if (!live) {
          const row = { id: newId(), kind, key: null, payload: 'null', claimable_at: now };
          await store.insertJob(db, row);
        } else if (live.state === 'waiting' && live.started_at !== null) {
          // The period may have been another when the row was written.
          await store.moveJob(db, live.id, live.started_at + every_ms);
        }
      });
      unplanned.delete(kind);
    }
  }

  const isFull = (kind: string, running: number) =>
    running >= (handlers.get(kind)?.running_max ?? running_max);

  /** The kinds of which this process may run one more. */
  const freeKinds = () =>
    [...handlers.keys(), ...periodics.keys()].filter((kind) => !isFull(kind, leases.countOf(kind)));

  /** Takes jobs while there are some and hands are free; answers after how long to look again. */
  async function takeJobs(): Promise<number> {
    if (may_hold_more) {
      // Before the work: an end that is given up meanwhile is for the next look.
      may_hold_more = false;
      await storage.transact(({ db }) =>
        store.releaseOthers(db, worker, leases.ids(), clock.now()),
      );
    }
    while (is_open && leases.size < running_max) {
      const which = { kinds: freeKinds(), busy_ids: leases.ids() };
      if (which.kinds.length === 0) return recheck_ms;
      const next_at = await store.findNextAt(storage.read, which);
      const wait_ms = (next_at ?? Number.POSITIVE_INFINITY) - clock.now();
      if (wait_ms > 0) return Math.min(wait_ms, recheck_ms);
      const limit = running_max - leases.size;
      const taken = await storage.transact(({ db }) => claim(db, which, limit));
      for (const job of taken) leases.hold(job, (signal) => work(job, signal), look);
    }
    return recheck_ms;
  }

  async function claim(db: Tx['db'], which: store.Claimable, limit: number) {
    const now = clock.now();
    const taken: store.ClaimedJob[] = [];
    if (!is_open) return taken;
    for (const job of await store.listClaimable(db, which, now, limit)) {
      const { kind } = job;
      const taken_count = taken.filter((other) => other.kind === kind).length;
      if (isFull(kind, leases.countOf(kind) + taken_count)) continue;
      const every_ms = periodics.get(kind)?.every_ms;
      const next_at = every_ms && job.started_at !== null ? job.started_at + every_ms : now;
      if (next_at > now) await store.moveJob(db, job.id, next_at);
      else if (!every_ms && job.state === 'running' && job.attempt >= lost_attempts_max) {
        await store.failLostJob(db, job.id, now, 'lost');
      } else taken.push(await store.claimJob(db, job.id, { worker, now, lease_ms }));
    }
    return taken;
  }

  /** Waits, unless the house stops or the job is another's. */
  async function pause(wait_ms: number, signal: AbortSignal): Promise<void> {
    const ending = AbortSignal.any([signal, stopping.signal]);
    if (ending.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = clock.after(wait_ms, resolve);
    ending.addEventListener('abort', () => resolve(), { once: true });
    await promise;
    cancel();
  }

  /**
   * Writes what became of a job, again and again while the database is away, until the house stops or the lease
   * is over. Whoever has taken the job over is not disturbed: `write` touches a job of this claim alone.
   */
  async function settle(write: (tx: Tx) => Promise<void>, signal: AbortSignal): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      const is_last = signal.aborted || stopping.signal.aborted;
      try {
        return await storage.transact(write);
      } catch (error) {
        if (is_last || !(error instanceof StorageUnavailableError)) {
          may_hold_more = true;
          throw error;
        }
        if (tries === 0) logger.warn({ err: error }, 'the end of a job waits for the database');
      }
      await pause(settle_pauses_ms[tries] ?? settle_pauses_ms[2], signal);
    }
  }

  /** Runs a job and writes down what became of it. If that cannot be, the job runs again. */
  async function work(job: store.ClaimedJob, signal: AbortSignal): Promise<void> {
    const { kind, attempt } = job;
    const periodic = periodics.get(kind);
    let failure: { error: unknown } | undefined;
    try {
      if (periodic) await periodic.run({ signal });
      else await handlers.get(kind)?.run(JSON.parse(job.payload), { attempt, signal });
    } catch (error) {
      failure = { error };
      if (!signal.aborted) logger.warn({ err: error, kind, attempt }, 'a job failed');
    }
    const is_broken_off = signal.aborted;
    await settle(async ({ db }) => {
      const now = clock.now();
      if (periodic) {
        const at = Math.max(now, job.started_at + periodic.every_ms);
        return store.postponeJob(db, job, { at, attempt: 0 });
      }
      if (!failure) return store.deleteJob(db, job);
      // What was broken off is no failure of the job.
      if (is_broken_off) return store.postponeJob(db, job, { at: now, attempt: attempt - 1 });
      if (failure.error instanceof StorageUnavailableError) {
        return store.postponeJob(db, job, { at: now + away_retry_ms, attempt: attempt - 1 });
      }
      const delay_ms = handlers.get(kind)?.retry(attempt);
      if (delay_ms === undefined) return store.failJob(db, job, now, coarseReason(failure.error));
      return store.postponeJob(db, job, { at: now + delay_ms, attempt });
    }, signal);
  }

  const jobs: Jobs = {
    async enqueue(tx, { kind, key, due_at, payload }) {
      await store.insertJob(tx.db, {
        id: newId(),
        kind,
        key: key ?? null,
        payload: JSON.stringify(payload ?? null),
        claimable_at: due_at ?? clock.now(),
      });
      tx.wake(topic);
    },
    register(kind, handler) {
      refuseTaken(kind);
      handlers.set(kind, handler);
      look();
    },
    every(kind, periodic) {
      refuseTaken(kind);
      periodics.set(kind, periodic);
      unplanned.add(kind);
      look();
    },
    start() {
      is_open = true;
      look();
    },
    async stop() {
      is_open = false;
      stopping.abort();
      cancelRecheck();
      await looking;
      await leases.close({ stop_wait_ms, abort_wait_ms });
    },
  };
  storage.onWake((woken) => {
    if (woken === topic || woken === '*') look();
  });
  jobs.every('jobs.forget-failed', {
    every_ms: forget_every_ms,
    run: () => storage.transact(({ db }) => store.deleteFailed(db, clock.now() - failed_kept_ms)),
  });
  return jobs;
}

const reason_length_max = 64;

/** The kind of an error, without its text, which may hold what was said in confidence. */
function coarseReason(error: unknown): string {
  return error instanceof Error ? error.name.slice(0, reason_length_max) : 'unknown';
}
