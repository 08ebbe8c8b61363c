/** Turns of those who want git to work for them. */
export type GitTurns = {
  /**
   * Waits for a turn of `client`; undefined if too many wait, or the caller has gone. What is answered
   * gives it back.
   */
  take(client: string, signal: AbortSignal): Promise<(() => void) | undefined>;
};

/** How many have a turn at once, and how many wait for one. */
export type TurnBounds = { at_once: number; waiting: number };

/** Turns for so many in all, and for so many of one client: nobody alone keeps git from all others. */
export function openGitTurns({ all, one }: { all: TurnBounds; one: TurnBounds }): GitTurns {
  const taken = new Map<string, number>();
  let taken_all = 0;
  const queue = new Set<{ client: string; enter: () => void }>();

  const takenBy = (client: string) => taken.get(client) ?? 0;
  const isFree = (client: string) => taken_all < all.at_once && takenBy(client) < one.at_once;

  function enterNext(): void {
    const next = [...queue].find(({ client }) => isFree(client));
    next?.enter();
  }

  function start(client: string): () => void {
    taken_all += 1;
    taken.set(client, takenBy(client) + 1);
    let is_back = false;
    return () => {
      if (is_back) return;
      is_back = true;
      taken_all -= 1;
      const left = takenBy(client) - 1;
      if (left > 0) taken.set(client, left);
      else taken.delete(client);
      enterNext();
    };
  }

  function isFull(client: string): boolean {
    const own = [...queue].filter((waiter) => waiter.client === client).length;
    return queue.size >= all.waiting || own >= one.waiting;
  }

  return {
    async take(client, signal) {
      if (signal.aborted) return undefined;
      if (isFree(client)) return start(client);
      if (isFull(client)) return undefined;
      return new Promise((resolve) => {
        const waiter = {
          client,
          enter() {
            queue.delete(waiter);
            signal.removeEventListener('abort', leave);
            resolve(start(client));
          },
        };
        const leave = () => {
          queue.delete(waiter);
          resolve(undefined);
        };
        queue.add(waiter);
        signal.addEventListener('abort', leave, { once: true });
      });
    },
  };
}
