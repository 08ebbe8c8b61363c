import type { Tx } from '../../storage/storage.ts';
import { deleteSignups, nthLastSignup } from '../accounts/account-store.ts';
import { day_ms, hour_ms } from '../limits.ts';
import type { NetworkSettings } from '../network.ts';

/**
 * How long a further sign-up has to wait, in milliseconds; undefined if it need not (NET-030 to NET-032).
 * Counted from rows, so that a restart forgets none.
 */
export async function countSignups(
  limits: NetworkSettings['limits'],
  { db }: Tx,
  { client_digest, now }: { client_digest: Buffer; now: number },
): Promise<number | undefined> {
  const { signups_per_hour_max, signups_per_day_max, house_signups_per_day_max } = limits;
  await deleteSignups(db, now - day_ms);
  const windows = [
    { window_ms: hour_ms, nth: signups_per_hour_max, client_digest },
    { window_ms: day_ms, nth: signups_per_day_max, client_digest },
    { window_ms: day_ms, nth: house_signups_per_day_max },
  ];
  let wait_ms: number | undefined;
  for (const { window_ms, ...which } of windows) {
    const at = await nthLastSignup(db, { ...which, since: now - window_ms });
    if (at !== undefined) wait_ms = Math.max(wait_ms ?? 0, at + window_ms - now);
  }
  return wait_ms;
}
