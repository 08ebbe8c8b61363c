/** Runs tasks of one name one after the other, in the order in which they came. */
export type Turnstile = <Value>(name: string, task: () => Promise<Value>) => Promise<Value>;

/** A turnstile of its own; tasks of different names do not wait for each other. */
export function openTurnstile(): Turnstile {
  const last_of = new Map<string, Promise<void>>();
  return async (name, task) => {
    const before = last_of.get(name) ?? Promise.resolve();
    const run = before.then(task);
    const ended = run.then(
      () => {},
      () => {},
    );
    last_of.set(name, ended);
    try {
      return await run;
    } finally {
      if (last_of.get(name) === ended) last_of.delete(name);
    }
  };
}
