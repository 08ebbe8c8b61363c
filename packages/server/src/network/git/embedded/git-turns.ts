/** Turns of those who want git to work for them: so many at once, and so many who wait for it. */
export type GitTurns = {
  /** Waits for a turn; undefined if too many wait, or the caller has gone. What is answered gives it back. */
  take(signal: AbortSignal): Promise<(() => void) | undefined>;
};

export function openGitTurns({ at_once, waiting }: { at_once: number; waiting: number }): GitTurns {
  let taken = 0;
  const queue = new Set<() => void>();

  function giveBack(): () => void {
    let is_back = false;
    return () => {
      if (is_back) return;
      is_back = true;
      const [next] = queue;
      if (next) next();
      else taken -= 1;
    };
  }

  return {
    async take(signal) {
      if (signal.aborted) return undefined;
      if (taken < at_once) {
        taken += 1;
        return giveBack();
      }
      if (queue.size >= waiting) return undefined;
      return new Promise((resolve) => {
        const leave = () => {
          queue.delete(enter);
          resolve(undefined);
        };
        const enter = () => {
          queue.delete(enter);
          signal.removeEventListener('abort', leave);
          resolve(giveBack());
        };
        queue.add(enter);
        signal.addEventListener('abort', leave, { once: true });
      });
    },
  };
}
