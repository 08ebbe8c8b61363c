import { isoInstant } from '../../clock.ts';
import { UndeliveredError } from '../../outbound/outbound.ts';
import { readCallUrl } from '../delivery/read-call-url.ts';
import { call_time_ms_max, wake_pause_ms, wakes_at_once } from '../limits.ts';
import type { Network } from '../network.ts';
import { wake_job } from './fill-inbox.ts';
import { findWake, markCalled, type Wake } from './inbox-store.ts';

/** Whom to call now, which then counts as called; if it was called too lately, it is put off. */
function takeTurn({ clock, jobs, transact }: Network, account: string): Promise<Wake | undefined> {
  return transact(async (tx) => {
    const wake = await findWake(tx.db, account);
    if (!wake) return undefined;
    const now = clock.now();
    const due_at = Number(wake.called_at ?? 0) + wake_pause_ms;
    if (due_at > now) {
      await jobs.enqueue(tx, { kind: wake_job, key: account, due_at, payload: { account } });
      return undefined;
    }
    await markCalled(tx.db, account, now);
    return wake;
  });
}

/** Calls the wake URL of an account once, with nothing of what has come (D-NET-45). */
async function callWakeUrl(network: Network, account: string): Promise<void> {
  const wake = await takeTurn(network, account);
  const target = wake && readCallUrl(network, wake.url);
  if (!target) return;
  const at = isoInstant(network.clock.now());
  try {
    await network.outbound.post({
      target,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'wake', account, at }),
      time_ms_max: call_time_ms_max,
    });
  } catch (error) {
    // There is one attempt; the inbox is where the message lies.
    if (!(error instanceof UndeliveredError)) throw error;
  }
}

/** Has wake URLs called in the background. */
export function registerWakes(network: Network): void {
  network.jobs.register(wake_job, {
    running_max: wakes_at_once,
    // @NOTE `fill-inbox.ts` and `takeTurn` enqueue these jobs.
    run: (payload) => callWakeUrl(network, (payload as { account: string }).account),
    retry: () => undefined,
  });
}
