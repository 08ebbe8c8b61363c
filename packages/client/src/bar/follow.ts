import { isPassing, pauseAfter } from '../is-passing.ts';
import type { Sleep } from '../sleep.ts';

const pause_ms = 1_000;

/** A page of something that grows. */
export type FollowedPage<Item> = {
  readonly messages: readonly Item[];
  readonly wait_granted: number;
};

/**
 * Gives each message after `since`, once and in order, for ever: it reads on from the last that it
 * gave, and the read waits at the server when there is nothing new. It pauses a second when the server
 * grants no wait, and longer each time, up to half a minute, while it cannot be reached or fails.
 * It ends when `signal` is aborted.
 *
 * @param source `read` reads the page after an id; `random`, from 0 to 1, spreads the pauses of many
 *   clients that have lost the same server
 * @throws what `read` does, save UnreachableError, refusals for a limit, and faults of the server.
 * @see korova §8, §11
 */
export async function* follow<Item extends { readonly id: number }>(source: {
  read: (since: number) => Promise<FollowedPage<Item>>;
  since: number;
  signal: AbortSignal | undefined;
  sleep: Sleep;
  random: () => number;
}): AsyncGenerator<Item, void> {
  const { signal } = source;
  let { since } = source;
  let failures = 0;
  const pause = (ms: number) => source.sleep(ms, signal).catch(unlessAborted(signal));
  while (!signal?.aborted) {
    let page: FollowedPage<Item>;
    try {
      page = await source.read(since);
      failures = 0;
    } catch (error) {
      if (signal?.aborted) return;
      if (!isPassing(error)) throw error;
      await pause(pauseAfter(failures, source.random));
      failures += 1;
      continue;
    }
    for (const message of page.messages) {
      if (signal?.aborted) return;
      since = message.id;
      yield message;
    }
    if (page.messages.length === 0 && page.wait_granted === 0) await pause(pause_ms);
  }
}

function unlessAborted(signal: AbortSignal | undefined): (error: unknown) => void {
  return (error) => {
    if (!signal?.aborted) throw error;
  };
}
