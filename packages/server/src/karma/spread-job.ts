import type { Tx } from '../storage/storage.ts';
import type { Karma } from './karma.ts';
import { spread_batch } from './limits.ts';
import { firstSpread } from './spread-store.ts';
import { continueSpread } from './spread-weight.ts';

const kind = 'karma.spread-weights';
const retry_ms = 5_000;

/** Makes sure that weights are spread once this is committed. */
export async function enqueueSpread(karma: Pick<Karma, 'jobs'>, tx: Tx): Promise<void> {
  await karma.jobs.enqueue(tx, { kind, key: 'all', payload: null });
}

/** Brings every weight that is on its way a little further; false once none is left. */
export async function spreadOnce(
  karma: Pick<Karma, 'transact'>,
  batch = spread_batch,
): Promise<boolean> {
  return karma.transact(async (tx) => {
    const spread = await firstSpread(tx.db);
    if (!spread) return false;
    await continueSpread(tx.db, spread, batch);
    return true;
  });
}

/** Says how weights are spread that were too far-reaching for a review's own transaction. */
export function registerSpread(karma: Karma): void {
  karma.jobs.register(kind, {
    async run(_, { signal }) {
      while (!signal.aborted && (await spreadOnce(karma)));
      // What is left is taken up again by whoever runs the job then.
      signal.throwIfAborted();
    },
    retry: () => retry_ms,
  });
}
