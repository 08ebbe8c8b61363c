import { RefusalError } from '../../refusal.ts';
import { keyedDigest } from '../../secrets.ts';
import type { Tx } from '../../storage/storage.ts';
import type { Forum } from '../forum.ts';
import { deleteOverAttemptsOf, insertAttempt, listAttempts } from './attempt-store.ts';

/** So many tries of one address, handle or account in a window of ten minutes or more. */
export type AttemptLimit = {
  /** Its name in `error.limit`. */
  readonly name: string;
  readonly limit: number;
  readonly window_ms: number;
};

/** Whose tries a limit counts. */
export type Counted = { readonly limit: AttemptLimit; readonly key: string };

/**
 * Counts one try for each of `counted`, durably, or refuses with `rate_limited` and counts none of them
 * (D-FORUM-71). The caller's unit of work must commit although what was tried fails: it is a unit of its own.
 */
export async function countAttempt(
  forum: Pick<Forum, 'clock' | 'house_key'>,
  { db }: Tx,
  counted: readonly Counted[],
): Promise<void> {
  const now = forum.clock.now();
  const rows = [];
  for (const { limit, key } of counted) {
    const { name: limit_name, window_ms } = limit;
    const key_digest = keyedDigest(forum.house_key, `forum attempt\n${limit_name}\n${key}`);
    const whose = { limit_name, key_digest, now };
    await deleteOverAttemptsOf(db, whose);
    const tried = await listAttempts(db, whose);
    const blocking = tried.at(-limit.limit);
    if (blocking) {
      throw new RefusalError('rate_limited', {
        retry_after_ms: blocking.tried_at + window_ms - now,
        more: { limit: limit_name },
      });
    }
    const number = (tried.at(-1)?.number ?? 0) + 1;
    rows.push({ limit_name, key_digest, number, tried_at: now, over_at: now + window_ms });
  }
  for (const row of rows) await insertAttempt(db, row);
}
