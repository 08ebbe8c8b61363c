import { RefusedError } from '../errors.ts';
import type { Sleep } from '../sleep.ts';

/** How long and how often one call waits for a limit before its refusal is passed on. */
export type Patience = { readonly sleep: Sleep; readonly limit_wait_ms_max: number };

const waits_max = 20;

/**
 * Repeats a call that is refused with 429 after the time that the refusal names, as long as its waits
 * together stay within `limit_wait_ms_max`; a refused request had no effect.
 *
 * @throws the RefusedError of a limit that would take longer; the reason of `signal`.
 * @see korova §16
 */
export async function waitForLimits<Value>(
  call: () => Promise<Value>,
  { sleep, limit_wait_ms_max }: Patience,
  signal?: AbortSignal,
): Promise<Value> {
  let waited_ms = 0;
  for (let waits = 0; ; waits += 1) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof RefusedError) || error.status !== 429) throw error;
      const wait_ms = waitOf(error) * 1_000;
      waited_ms += wait_ms;
      if (waits === waits_max || waited_ms > limit_wait_ms_max) throw error;
      await sleep(wait_ms, signal);
    }
  }
}

/** Seconds to wait after a 429; one if it does not say. */
function waitOf({ retry_after_s, more }: RefusedError): number {
  const said = retry_after_s ?? Number(more.retry_after);
  return Number.isFinite(said) && said >= 1 ? said : 1;
}
