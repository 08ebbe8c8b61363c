import { BoundedMap } from '../bounded-map.ts';
import type { Clock } from '../clock.ts';
import type { Db, Storage, Tx } from '../storage/storage.ts';

/** Committed values by key, kept in memory until a commit changes them. */
export type Cache<Value> = {
  /** The value of `key` as committed now, from memory or read anew; undefined if there is none. */
  get(key: string): Promise<Value | undefined>;
  /**
   * The value of `key` as a unit of work sees it. From memory unless a unit of the same batch has changed it, or
   * another process may have; so it costs a unit no statement, where this process alone writes.
   */
  within(tx: Tx, key: string): Promise<Value | undefined>;
  /** To be called in every unit of work that changes the value of `key`: all processes read it anew. */
  forget(tx: Tx, key: string): void;
  /**
   * In place of `forget`, by a unit of work that knows the whole new value: `within` answers it to later units of the
   * batch, also while the rows that hold it are still to be written, and a process that writes alone keeps it.
   */
  put(tx: Tx, key: string, value: Value): void;
};

export type CacheSpec<Value> = {
  /** Unique in the house, such as `bar-agent`. */
  name: string;
  entries_max: number;
  /** Reads the value of `key` on `db`. */
  load: (key: string, db: Db) => Promise<Value | undefined>;
};

export type Caches = {
  open<Value>(spec: CacheSpec<Value>): Cache<Value>;
  close(): void;
};

/** With several processes a lost wake-up leaves a value stale at most for this. */
const stale_max_ms = 2_000;

const topic_prefix = 'cache ';

type Kept<Value> = { value: Promise<Value | undefined> };

/** By key, the new values of one cache that units of the open batch have told. */
type Told = { values: Map<string, { value: unknown }> };

function setOrDelete(told: Told, key: string, now: { value: unknown } | undefined): void {
  if (now) told.values.set(key, now);
  else told.values.delete(key);
}

/** The caches of a house whose database is `storage`. */
export function openCaches(storage: Storage, clock: Clock): Caches {
  const caches = new Map<string, Pick<BoundedMap<unknown>, 'clear' | 'delete'>>();
  const clear = () => {
    for (const kept of caches.values()) kept.clear();
  };

  // Topics of what units of the open batch have changed, also of those that were undone.
  let changed = new Set<string>();
  // What units of the open batch have told, and for each change what was there before it.
  const before: { told: Told; key: string; was: { value: unknown } | undefined }[] = [];
  function tell(told: Told, key: string, now: { value: unknown } | undefined): void {
    before.push({ told, key, was: told.values.get(key) });
    setOrDelete(told, key, now);
  }
  storage.join({
    begin() {
      // New ones in place of emptied ones: a table that was emptied still points to what comes after it, which then
      // outlives its time with it.
      if (changed.size > 0) changed = new Set();
      for (const { told } of before) if (told.values.size > 0) told.values = new Map();
      before.length = 0;
    },
    mark: () => before.length,
    restore(mark) {
      for (const { told, key, was } of before.splice(mark).reverse()) setOrDelete(told, key, was);
    },
    async flush() {},
  });

  storage.onWake((topic) => {
    if (topic === '*') clear();
    if (!topic.startsWith(topic_prefix)) return;
    const [name = '', ...key] = topic.slice(topic_prefix.length).split(' ');
    caches.get(name)?.delete(key.join(' '));
  });
  let cancelClear = () => {};
  function clearSoon(): void {
    cancelClear = clock.after(stale_max_ms, () => {
      clear();
      clearSoon();
    });
  }
  if (storage.engine === 'postgres') clearSoon();

  return {
    open<Value>({ name, entries_max, load }: CacheSpec<Value>): Cache<Value> {
      if (caches.has(name)) throw new Error(`there are two caches with the name ${name}`);
      const kept = new BoundedMap<Kept<Value>>(entries_max);
      caches.set(name, kept);
      const told: Told = { values: new Map() };
      const topicOf = (key: string) => `${topic_prefix}${name} ${key}`;
      const cache: Cache<Value> = {
        get(key) {
          const known = kept.get(key);
          if (known) return known.value;
          // What is forgotten while it loads is answered once more, and not kept.
          const entry: Kept<Value> = { value: load(key, storage.read) };
          kept.set(key, entry);
          entry.value.then(
            (value) => {
              // What does not exist is not kept: strangers could fill the memory with it.
              if (value === undefined && kept.get(key) === entry) kept.delete(key);
            },
            () => {
              if (kept.get(key) === entry) kept.delete(key);
            },
          );
          return entry.value;
        },
        within(tx, key) {
          const now = told.values.get(key);
          // @NOTE Only `put` of this cache tells them.
          if (now) return Promise.resolve(now.value as Value);
          return storage.engine === 'postgres' || (changed.size > 0 && changed.has(topicOf(key)))
            ? load(key, tx.db)
            : cache.get(key);
        },
        forget(tx, key) {
          const topic = topicOf(key);
          if (told.values.has(key)) tell(told, key, undefined);
          changed.add(topic);
          tx.wake(topic);
        },
        put(tx, key, value) {
          tell(told, key, { value });
          if (storage.engine === 'postgres') tx.wake(topicOf(key));
          else tx.afterCommit(() => kept.set(key, { value: Promise.resolve(value) }));
        },
      };
      return cache;
    },
    close: () => cancelClear(),
  };
}
