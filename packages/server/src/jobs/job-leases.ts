import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Storage } from '../storage/storage.ts';
import { type ClaimedJob, extendLeases } from './jobs-store.ts';

type Held = { kind: string; abort: AbortController; over: Promise<void>; leased_until: number };

/** The jobs that a worker is running. Their leases are lengthened as long as they run. */
export class JobLeases {
  readonly #storage: Storage;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #worker: string;
  readonly #lease_ms: number;
  readonly #held = new Map<string, Held>();
  #cancelExtension: (() => void) | undefined;
  #is_closed = false;

  constructor(options: {
    storage: Storage;
    clock: Clock;
    logger: Logger;
    worker: string;
    lease_ms: number;
  }) {
    this.#storage = options.storage;
    this.#clock = options.clock;
    this.#logger = options.logger;
    this.#worker = options.worker;
    this.#lease_ms = options.lease_ms;
  }

  get size(): number {
    return this.#held.size;
  }

  /** How many of a kind are running. */
  countOf(kind: string): number {
    let count = 0;
    for (const held of this.#held.values()) if (held.kind === kind) count += 1;
    return count;
  }

  ids(): string[] {
    return [...this.#held.keys()];
  }

  /** Runs `work` on a claimed job, and `then` when that is over. */
  hold(job: ClaimedJob, work: (signal: AbortSignal) => Promise<void>, then: () => void): void {
    const abort = new AbortController();
    const over = work(abort.signal)
      .catch((error) => {
        this.#logger.error({ err: error, kind: job.kind }, 'the end of a job could not be stored');
      })
      .then(() => {
        this.#held.delete(job.id);
        then();
      });
    const leased_until = job.started_at + this.#lease_ms;
    this.#held.set(job.id, { kind: job.kind, abort, over, leased_until });
    this.#extendLater();
  }

  /** Waits for what runs; after `stop_wait_ms` signals it to end, and `abort_wait_ms` later leaves it. */
  async close(wait: { stop_wait_ms: number; abort_wait_ms: number }): Promise<void> {
    const all_over = Promise.all([...this.#held.values()].map(({ over }) => over));
    if (!(await this.#within(wait.stop_wait_ms, all_over))) {
      for (const { abort } of this.#held.values()) abort.abort();
      await this.#within(wait.abort_wait_ms, all_over);
    }
    this.#is_closed = true;
    this.#cancelExtension?.();
  }

  /** Whether `event` comes within `wait_ms`. */
  async #within(wait_ms: number, event: Promise<unknown>): Promise<boolean> {
    const { promise: too_late, resolve } = Promise.withResolvers<boolean>();
    const cancel = this.#clock.after(wait_ms, () => resolve(false));
    const is_over = await Promise.race([event.then(() => true), too_late]);
    cancel();
    return is_over;
  }

  #extendLater(): void {
    this.#cancelExtension ??= this.#clock.after(this.#lease_ms / 3, () => void this.#extend());
  }

  async #extend(): Promise<void> {
    this.#cancelExtension = undefined;
    const ids = this.ids();
    if (ids.length === 0) return;
    const until = this.#clock.now() + this.#lease_ms;
    try {
      const kept = await this.#storage.transact(({ db }) =>
        extendLeases(db, this.#worker, ids, until),
      );
      for (const id of ids) {
        const held = this.#held.get(id);
        if (kept.includes(id) && held) held.leased_until = until;
        else held?.abort.abort();
      }
    } catch (error) {
      this.#logger.warn({ err: error }, 'leases of jobs could not be lengthened');
      // Another process may have taken over by now.
      for (const { abort, leased_until } of this.#held.values()) {
        if (leased_until <= this.#clock.now()) abort.abort();
      }
    }
    if (this.#held.size > 0 && !this.#is_closed) this.#extendLater();
  }
}
