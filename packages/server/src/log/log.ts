import type { Storage, Tx } from '../storage/storage.ts';
import { LogBuffer } from './log-buffer.ts';
import * as store from './log-store.ts';

/** Where the next entry of a stream goes. */
export type Link = {
  /** 1 for the first entry, then without gaps. */
  readonly position: number;
  /** Hash of the entry before; undefined for the first, and in streams that are not chained. */
  readonly prev_hash: Buffer | undefined;
};

export type Head = { readonly position: number; readonly hash: Buffer | undefined };

export type LogEntry = {
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

/** Append-only streams: everything said in the house is an entry of one. */
export type Log = {
  /**
   * Appends to `stream` what `seal` makes of the next link. Entries become readable at the commit, in
   * the order of their positions, and never before an earlier one of the stream. Wakes the topic named
   * like the stream. `at` is in milliseconds.
   */
  append(tx: Tx, stream: string, at: number, seal: (link: Link) => Sealed): Promise<LogEntry>;
  /** The committed end of `stream`; position 0 if it is empty. */
  head(stream: string): Promise<Head>;
  /** At most `limit` committed entries after position `after`, in order. */
  readAfter(stream: string, after: number, limit: number): Promise<LogEntry[]>;
  /** At most `limit` committed entries before position `before`, the newest first. */
  readBefore(stream: string, before: number, limit: number): Promise<LogEntry[]>;
  /** The entry at `position`, if there is one. */
  readAt(stream: string, position: number): Promise<LogEntry | undefined>;
};

/** The log of a house whose database is `storage`. */
export function openLog(storage: Storage): Log {
  const buffer = new LogBuffer();
  storage.join(buffer);
  return {
    async append(tx, stream, at, seal) {
      const head = buffer.head(stream) ?? buffer.know(stream, await store.findHead(tx.db, stream));
      const link: Link = { position: head.position + 1, prev_hash: head.hash };
      const entry: LogEntry = { hash: undefined, ...seal(link), ...link, at };
      buffer.add(stream, entry);
      tx.wake(stream);
      return entry;
    },
    head: (stream) => store.findHead(storage.read, stream),
    readAfter: (stream, after, limit) => store.listAfter(storage.read, stream, after, limit),
    readBefore: (stream, before, limit) => store.listBefore(storage.read, stream, before, limit),
    readAt: (stream, position) => store.findEntry(storage.read, stream, position),
  };
}
