import type { Deps } from '../../deps.ts';
import type { Head } from '../../http/call.ts';
import type { Places } from '../../limits/limits.ts';
import { RefusalError } from '../../refusal.ts';
import { admitCaller } from '../admit.ts';
import {
  account_waits_max,
  wait_hold_ms_max,
  wait_seconds_default,
  wait_seconds_max,
  waits_max,
  waits_retry_ms,
} from '../limits.ts';
import type { Network } from '../network.ts';

/** Places for waits and streams, shared by all processes of the house (D-NET-37). */
export function openWaits({ limits }: Pick<Deps, 'limits'>): Places {
  return limits.places({
    name: 'net-waits',
    key_places_max: account_waits_max,
    places_max: waits_max,
    hold_max_ms: wait_hold_ms_max,
  });
}

/** Takes a place for a wait or a stream of an account; answers what gives it back. Refuses when there is none. */
export async function takePlace({ waits }: Network, account: string): Promise<() => void> {
  const giveBack = await waits.take(account);
  if (!giveBack) {
    throw new RefusalError('rate_limited', {
      detail: `You have ${account_waits_max} open waits and streams; no more are held at once.`,
      hint: 'End one of them, or wait as many seconds as retry_after says.',
      retry_after_ms: waits_retry_ms,
    });
  }
  return giveBack;
}

/** For how many milliseconds a wait lasts (NET-167). */
export const waitMs = (timeout: number | undefined): number =>
  Math.min(timeout ?? wait_seconds_default, wait_seconds_max) * 1_000;

/**
 * Holds a read until `read` finds something or the time is over; then `readAnyway` answers. Who is no longer
 * let in by then, such as with a key that was revoked, is refused.
 */
export async function holdRead<T>(
  network: Network,
  request: Pick<Head, 'headers' | 'client'> & { readonly signal: AbortSignal },
  {
    account,
    topic,
    wait_ms,
    read,
    readAnyway,
  }: {
    account: string;
    topic: string;
    wait_ms: number;
    read: () => Promise<T | undefined>;
    readAnyway: () => Promise<T>;
  },
): Promise<T> {
  const { signal } = request;
  const giveBack = await takePlace(network, account);
  try {
    const found = await network.waiters.waitFor({ topics: [topic], wait_ms, signal, read });
    await admitCaller(network, request);
    return found ?? (await readAnyway());
  } finally {
    giveBack();
  }
}
