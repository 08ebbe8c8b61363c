import type { Head, LogEntry } from './log.ts';

/** The end of a stream, kept in memory: all its entries after position `from`. */
type Tail = { from: number; entries: LogEntry[]; head: Head; size: number };

/** Entries kept of one stream; twice as many are there before the older half goes. */
const entries_max = 64;

/** Characters of all bodies that are kept. */
const size_max = 16_777_216;

/**
 * The newest entries of the streams that were appended to last, so that who follows one reads no row. Holds
 * for a database that this process alone writes to.
 */
export class RecentEntries {
  /** In the order of their last appends. */
  readonly #tails = new Map<string, Tail>();
  #size = 0;
  /** The last of them. */
  #newest: string | undefined;

  /** Takes a committed entry; `before` is the head that it continues. */
  add(entry: LogEntry, before: Head): void {
    const { stream, position, hash, body } = entry;
    const tail = this.#tails.get(stream) ?? {
      from: before.position,
      entries: [],
      head: before,
      size: 0,
    };
    tail.entries.push(entry);
    tail.head = { position, hash, entries: before.entries + 1 };
    this.#grow(tail, body.length);
    if (tail.entries.length >= 2 * entries_max) {
      const dropped = tail.entries.splice(0, tail.entries.length - entries_max);
      tail.from = dropped.at(-1)?.position ?? tail.from;
      this.#grow(tail, -dropped.reduce((size, { body }) => size + body.length, 0));
    }
    if (stream !== this.#newest) {
      this.#tails.delete(stream);
      this.#tails.set(stream, tail);
      this.#newest = stream;
    }
    while (this.#size > size_max) {
      const [oldest] = this.#tails;
      if (!oldest) break;
      this.#tails.delete(oldest[0]);
      if (oldest[0] === this.#newest) this.#newest = undefined;
      this.#size -= oldest[1].size;
    }
  }

  #grow(tail: Tail, size: number): void {
    tail.size += size;
    this.#size += size;
  }

  /** The committed end of a stream, if it is kept. */
  head(stream: string): Head | undefined {
    return this.#tails.get(stream)?.head;
  }

  /** At most `limit` entries after position `after`, if all of them are kept. */
  readAfter(stream: string, after: number, limit: number): LogEntry[] | undefined {
    const tail = this.#tails.get(stream);
    if (!tail || after < tail.from) return undefined;
    const { entries } = tail;
    // Most readers are near the end.
    let start = entries.length;
    while (start > 0 && (entries[start - 1]?.position ?? 0) > after) start -= 1;
    return entries.slice(start, start + limit);
  }
}
