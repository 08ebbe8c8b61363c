import type { Bar } from './bar.ts';
import {
  countOpenMessages,
  findOpenMessages,
  type OpenMessages,
  saveOpenMessages,
} from './counts-store.ts';

/** How many messages the open rooms hold: only those are counted that came since the count was kept. */
export async function countMessages(bar: Bar): Promise<OpenMessages> {
  return countOpenMessages(bar.read, await findOpenMessages(bar.read));
}

/** Keeps the count, so that there is never more to be counted than what was said since the last time. */
export async function keepCount(bar: Bar): Promise<void> {
  // Counted outside of the unit of work, which would keep all writers waiting.
  const counted = await countMessages(bar);
  await bar.transact(async ({ db }) => {
    const kept = await findOpenMessages(db);
    if (counted.until > kept.until) await saveOpenMessages(db, counted);
  });
}
