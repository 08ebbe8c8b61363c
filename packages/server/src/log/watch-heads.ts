import type { Clock } from '../clock.ts';
import type { Storage } from '../storage/storage.ts';
import { listHeads } from './log-store.ts';

/** A lost wake-up delays a waiter at most by this. */
const recheck_ms = 2_000;
/** Streams whose heads are remembered, also while nobody waits on them. */
const remembered_max = 100_000;

export type HeadWatch = { start(): void; stop(): void };

/** The ends of what rooms keep beside the log, by what stands after the prefix in their topics. */
export type Ends = {
  readonly prefix: string;
  readonly list: (names: readonly string[]) => Promise<ReadonlyMap<string, number>>;
};

/**
 * Looks at the heads of streams every 2 s, between `start` and `stop`, and calls `moved` for each that is
 * not where it was at the last look. Of a stream that was never looked at it is not known whether it has
 * moved since somebody began to wait on it, so it counts as moved. What a room keeps beside the log has its end
 * looked at like a head. A topic that is neither has no head, and moves once.
 */
export function watchHeads(options: {
  storage: Storage;
  clock: Clock;
  watched: () => Iterable<string>;
  ends: readonly Ends[];
  moved: (stream: string) => void;
}): HeadWatch {
  const { storage, clock, watched, ends, moved } = options;
  const positions = new Map<string, number>();
  let is_looking = false;
  let cancelNext: (() => void) | undefined;

  function compare(stream: string, position: number): void {
    if (positions.get(stream) === position) return;
    positions.delete(stream);
    positions.set(stream, position);
    moved(stream);
  }

  async function look(): Promise<void> {
    let streams = [...watched()];
    for (const { prefix, list } of ends) {
      const topics = streams.filter((topic) => topic.startsWith(prefix));
      const nameOf = (topic: string) => topic.slice(prefix.length);
      const found =
        topics.length === 0 ? new Map<string, number>() : await list(topics.map(nameOf));
      for (const topic of topics) compare(topic, found.get(nameOf(topic)) ?? 0);
      streams = streams.filter((topic) => !topic.startsWith(prefix));
    }
    const heads = await listHeads(storage.read, streams);
    for (const stream of streams) compare(stream, heads.get(stream)?.position ?? 0);
    for (const stream of positions.keys()) {
      if (positions.size <= remembered_max) break;
      positions.delete(stream);
    }
  }

  function start(): void {
    cancelNext = clock.after(recheck_ms, () => {
      start();
      if (is_looking) return;
      is_looking = true;
      // A look that fails, such as when the database is away, is made up by the next.
      void look()
        .catch(() => {})
        .finally(() => {
          is_looking = false;
        });
    });
  }

  return {
    start,
    stop() {
      cancelNext?.();
      cancelNext = undefined;
    },
  };
}
