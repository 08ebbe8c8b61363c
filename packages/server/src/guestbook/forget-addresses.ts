import { utcDate } from '../clock.ts';
import type { Deps } from '../deps.ts';
import { deleteRegistrationCounts } from './guestbook-store.ts';
import { forgotten_rows_max } from './limits.ts';

/**
 * Deletes the counts of past days (D-BOOK-19), a few at a time: everybody else's writes go in between, and
 * on SQLite everybody's reads.
 */
export async function forgetAddresses(deps: Deps, signal: AbortSignal): Promise<void> {
  const today = utcDate(deps.clock.now());
  let forgotten: number;
  do {
    forgotten = await deps.transact(({ db }) =>
      deleteRegistrationCounts(db, today, forgotten_rows_max),
    );
  } while (forgotten === forgotten_rows_max && !signal.aborted);
}
