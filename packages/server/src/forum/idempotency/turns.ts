/** Lets one at a time do what has the same name; the others wait, in the order in which they came. */
export type Turns = {
  /** Waits for the turn; answers what ends it. */
  take(name: string): Promise<() => void>;
  /** Names that somebody has or waits for. */
  size(): number;
};

/** Turns within this process. Nothing is kept of a name for which nobody waits. */
export function openTurns(): Turns {
  const last = new Map<string, Promise<void>>();
  return {
    size: () => last.size,
    async take(name) {
      const before = last.get(name);
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      last.set(name, ended);
      await before;
      return () => {
        if (last.get(name) === ended) last.delete(name);
        end();
      };
    },
  };
}
