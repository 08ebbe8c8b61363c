import type { Storage, Tx } from '../storage/storage.ts';
import { LogBuffer } from './log-buffer.ts';
import * as store from './log-store.ts';
import { RecentEntries } from './recent-entries.ts';

/** Where the next entry of a stream goes. */
export type Link = {
  /** Above that of the entry before; without gaps from 1 unless several streams share their numbers. */
  readonly position: number;
  /** Hash of the entry before; undefined for the first, and in streams that are not chained. */
  readonly prev_hash: Buffer | undefined;
};

/** The end of a stream; position 0 and no hash while it is empty. */
export type Head = {
  readonly position: number;
  /** How many entries it has. */
  readonly entries: number;
  readonly hash: Buffer | undefined;
};

export type LogEntry = {
  readonly stream: string;
  readonly position: number;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly at: number;
  readonly prev_hash: Buffer | undefined;
  readonly hash: Buffer | undefined;
  /** The exact text that was appended. */
  readonly body: string;
};

/** What a stream's own rule makes of a link: the text to keep and, if the stream is chained, its hash. */
export type Sealed = { readonly body: string; readonly hash?: Buffer };

export type Append = {
  readonly stream: string;
  /** Several streams that name the same one here share its numbers, so that positions ascend over all of them. */
  readonly numbered_by?: string;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly at: number;
  /** The stream's own rule. */
  readonly seal: (link: Link) => Sealed;
};

/** Append-only streams: everything said in the house is an entry of one. */
export type Log = {
  /**
   * Appends to a stream what its rule makes of the next link. Entries become readable at the commit, in
   * the order of their positions, and never before an earlier one. Wakes the topic named like the stream.
   */
  append(tx: Tx, append: Append): Promise<LogEntry>;
  /** The committed end of `stream`. */
  head(stream: string): Promise<Head>;
  /** The end of `stream` as a unit of work sees it. */
  headWithin(tx: Tx, stream: string): Promise<Head>;
  /** The committed ends of many streams; those that are empty are left out. */
  heads(streams: readonly string[]): Promise<ReadonlyMap<string, Head>>;
  /** At most `limit` committed entries after position `after`, in order. */
  readAfter(stream: string, after: number, limit: number): Promise<LogEntry[]>;
  /** At most `limit` committed entries before position `before`, the newest first. */
  readBefore(stream: string, before: number, limit: number): Promise<LogEntry[]>;
  /** The committed entries at these places, in the order of their positions. */
  readAt(places: readonly Place[]): Promise<LogEntry[]>;
};

/** Where an entry stands. */
export type Place = { readonly stream: string; readonly position: number };

/** A position that both databases can compare: what lies beyond every entry may be of any size. */
const positionOf = (number: number) => Math.min(number, Number.MAX_SAFE_INTEGER);

/** The log of a house whose database is `storage`. */
export function openLog(storage: Storage): Log {
  const buffer = new LogBuffer();
  storage.join(buffer);
  // Other processes append to a PostgreSQL that they share.
  const recent = storage.engine === 'sqlite' ? new RecentEntries() : undefined;

  async function headInBatch(tx: Tx, stream: string): Promise<Head> {
    const known = buffer.head(stream);
    if (known) return known;
    // What was appended last is known without a statement, as no other process appends.
    const committed = recent?.head(stream) ?? (await store.findHead(tx.db, stream));
    return buffer.know(stream, committed);
  }

  return {
    async append(tx, { stream, numbered_by, at, seal }) {
      const head = buffer.head(stream) ?? (await headInBatch(tx, stream));
      const numbers =
        numbered_by === undefined
          ? head
          : (buffer.head(numbered_by) ?? (await headInBatch(tx, numbered_by)));
      const link: Link = { position: numbers.position + 1, prev_hash: head.hash };
      const entry: LogEntry = { hash: undefined, ...seal(link), ...link, stream, at };
      buffer.add(entry, numbered_by);
      tx.wake(stream);
      if (recent) tx.afterCommit(() => recent.add(entry, head));
      return entry;
    },
    headWithin: headInBatch,
    head: async (stream) => recent?.head(stream) ?? store.findHead(storage.read, stream),
    heads: (streams) => store.listHeads(storage.read, streams),
    readAfter: async (stream, after, limit) =>
      recent?.readAfter(stream, after, limit) ??
      store.listAfter(storage.read, { stream, from: positionOf(after), limit }),
    readBefore: (stream, before, limit) =>
      store.listBefore(storage.read, { stream, from: positionOf(before), limit }),
    readAt: (places) => store.listAt(storage.read, places),
  };
}
