import type { Clock } from '../clock.ts';
import type { Storage } from '../storage/storage.ts';
import { listHeads } from './log-store.ts';

/** A lost wake-up delays a waiter at most by this. */
const recheck_ms = 2_000;
/** Streams whose heads are remembered, also while nobody waits on them. */
const remembered_max = 100_000;

export type HeadWatch = { start(): void; stop(): void };

/**
 * Looks at the heads of streams every 2 s, between `start` and `stop`, and calls `moved` for each that is
 * not where it was at the last look. Of a stream that was never looked at it is not known whether it has
 * moved since somebody began to wait on it, so it counts as moved. A topic that is no stream has no head,
 * and moves once.
 */
export function watchHeads(options: {
  storage: Storage;
  clock: Clock;
  watched: () => Iterable<string>;
  moved: (stream: string) => void;
}): HeadWatch {
  const { storage, clock, watched, moved } = options;
  const positions = new Map<string, number>();
  let is_looking = false;
  let cancelNext: (() => void) | undefined;

  async function look(): Promise<void> {
    const streams = [...watched()];
    const heads = await listHeads(storage.read, streams);
    for (const stream of streams) {
      const position = heads.get(stream)?.position ?? 0;
      if (positions.get(stream) === position) continue;
      positions.delete(stream);
      positions.set(stream, position);
      moved(stream);
    }
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
