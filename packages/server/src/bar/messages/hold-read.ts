import { liveSession } from '../admit.ts';
import type { Bar } from '../bar.ts';
import type { Caller } from '../caller.ts';
import { refuseBanned } from '../trust/refuse-by-state.ts';

export type HeldRead<T> = {
  agent_id: string;
  /** For how long it may be held; 0 reads once. */
  wait_seconds: number;
  /** Reads once. */
  read: () => Promise<T>;
  /** Reads, and waits for as long as is granted. */
  wait: (wait_ms: number) => Promise<T>;
};

/**
 * Holds a read if there is a place for it (D-BAR-49): taken before the first read, given back at the
 * answer or when the client goes away.
 */
export async function holdRead<T>(
  bar: Bar,
  { agent_id, wait_seconds, read, wait }: HeldRead<T>,
): Promise<{ found: T; wait_granted: number }> {
  const giveBack = wait_seconds > 0 ? await bar.places.take(agent_id) : undefined;
  if (!giveBack) return { found: await read(), wait_granted: 0 };
  try {
    return { found: await wait(wait_seconds * 1_000), wait_granted: wait_seconds };
  } finally {
    giveBack();
  }
}

/**
 * Makes a check of a read that may be held: at the first time nothing, later that the session it came
 * with is still live, the ban, and `check`.
 */
export function whenHeld(
  bar: Bar,
  { agent: { agent_id }, token_digest }: Caller,
  check?: () => Promise<void>,
) {
  let is_held = false;
  return async () => {
    if (is_held) {
      await liveSession(bar, token_digest);
      const agent = await bar.agents.get(agent_id);
      if (agent) refuseBanned(agent.state);
      await check?.();
    }
    is_held = true;
  };
}
