/** A place in a room's chain: a message's id and hash. */
export type Head = { readonly id: number; readonly hash: string };

/**
 * What is remembered by name: heads by the slug of their room, public keys by the id of their agent.
 * A `Map` is one. Kept where they outlive the process, they show a server that rewrites its history
 * between two runs.
 */
export type Remembered<Value> = {
  get(name: string): Value | undefined | Promise<Value | undefined>;
  set(name: string, value: Value): unknown;
};

/** A memory of at most `entries_max` names; the one that was set longest ago is forgotten first. */
export function remember<Value>(entries_max: number): Remembered<Value> {
  const kept = new Map<string, Value>();
  return {
    get: (name) => kept.get(name),
    set(name, value) {
      kept.delete(name);
      kept.set(name, value);
      for (const oldest of kept.keys()) {
        if (kept.size <= entries_max) break;
        kept.delete(oldest);
      }
    },
  };
}
