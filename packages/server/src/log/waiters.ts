import type { Clock } from '../clock.ts';
import type { Storage } from '../storage/storage.ts';
import { type Ends, watchHeads } from './watch-heads.ts';

export type Wait<T> = {
  /**
   * The topics whose wake-ups may make `read` find something. Of those that are streams of the log, or watched, a
   * lost wake-up is noticed 2 s later at most, of others at the end of the wait.
   */
  topics: readonly string[];
  /** How long to wait at most; 0 reads once. */
  wait_ms: number;
  /** Ends the wait at once, such as when the client goes away. */
  signal: AbortSignal;
  /** Reads what is waited for; undefined if it is not there yet. */
  read: () => Promise<T | undefined>;
};

/** Callers who wait for something to be committed. */
export type Waiters = {
  /**
   * What `read` finds, as soon as it finds something; undefined once the time is over, the signal was
   * given or the house closes. Wake-ups are hints: one that is lost delays the answer, never loses it.
   * Whoever waits costs nothing meanwhile: every 2 s the heads of all streams that are waited on are read,
   * together, and who waits on one that has moved reads again.
   */
  waitFor<T>(wait: Wait<T>): Promise<T | undefined>;
  /** Has the topics that begin with a prefix looked at like streams, though the log has no entries of them. */
  watch(ends: Ends): void;
  /** How many wait now. */
  count(): number;
  /** Whether waits end at once, because the house closes. */
  isClosed(): boolean;
  /** Ends all waits; later ones read once. */
  close(): void;
};

/** The waiters of a house whose wake-ups come from `storage`. */
export function openWaiters(storage: Storage, clock: Clock): Waiters {
  const waiting = new Map<string, Set<() => void>>();
  let is_closed = false;
  let waiter_count = 0;

  const wake = (topic: string) => {
    for (const call of waiting.get(topic) ?? []) call();
  };
  storage.onWake((topic) => {
    if (topic === '*') for (const callers of waiting.values()) for (const call of callers) call();
    else wake(topic);
  });
  const ends: Ends[] = [];
  const watched = () => waiting.keys();
  const heads = watchHeads({ storage, clock, watched, ends, moved: wake });

  /** A bell that remembers a ring until somebody listens. */
  function arm(topics: readonly string[], signal: AbortSignal) {
    let has_rung = false;
    let listen: (() => void) | undefined;
    const ring = () => {
      has_rung = true;
      listen?.();
    };
    for (const topic of topics) {
      const callers = waiting.get(topic) ?? new Set();
      waiting.set(topic, callers.add(ring));
    }
    signal.addEventListener('abort', ring, { once: true });
    if (waiter_count === 0) heads.start();
    waiter_count += 1;
    return {
      rung: () =>
        new Promise<void>((resolve) => {
          listen = () => {
            has_rung = false;
            resolve();
          };
          if (has_rung) listen();
        }),
      ring,
      disarm() {
        signal.removeEventListener('abort', ring);
        for (const topic of topics) {
          const callers = waiting.get(topic);
          callers?.delete(ring);
          if (callers?.size === 0) waiting.delete(topic);
        }
        waiter_count -= 1;
        if (waiter_count === 0) heads.stop();
      },
    };
  }

  return {
    async waitFor({ topics, wait_ms, signal, read }) {
      if (wait_ms <= 0) return await read();
      // Armed before the first read: what is committed in between rings the bell.
      const bell = arm(topics, signal);
      const ends_at = clock.now() + wait_ms;
      let is_over = false;
      const cancelEnd = clock.after(wait_ms, () => {
        is_over = true;
        bell.ring();
      });
      try {
        while (true) {
          const found = await read();
          if (found !== undefined) return found;
          if (is_over || signal.aborted || is_closed || clock.now() >= ends_at) return undefined;
          await bell.rung();
        }
      } finally {
        cancelEnd();
        bell.disarm();
      }
    },
    watch: (more) => void ends.push(more),
    count: () => waiter_count,
    isClosed: () => is_closed,
    close() {
      is_closed = true;
      for (const callers of waiting.values()) for (const call of callers) call();
    },
  };
}
