import type { BatchParticipant, Db } from '../storage/storage.ts';
import type { Head, LogEntry } from './log.ts';
import { insertEntries, saveHeads } from './log-store.ts';

/**
 * The entries of one batch, held back until just before its commit and then written together: the
 * lock that the batch holds keeps the heads it has read from moving.
 */
export class LogBuffer implements BatchParticipant {
  readonly #heads = new Map<string, Head>();
  readonly #entries: { stream: string; entry: LogEntry; head_before: Head }[] = [];

  /** The head of `stream` as this batch knows it. */
  head(stream: string): Head | undefined {
    return this.#heads.get(stream);
  }

  /** Takes the stored head of a stream that this batch has not met yet. */
  know(stream: string, head: Head): Head {
    this.#heads.set(stream, head);
    return head;
  }

  /** Takes an entry that continues the known head of `stream`. */
  add(stream: string, entry: LogEntry): void {
    const head_before = this.#heads.get(stream);
    if (!head_before) throw new Error('an entry was added to a stream whose head is not known');
    this.#entries.push({ stream, entry, head_before });
    this.#heads.set(stream, { position: entry.position, hash: entry.hash });
  }

  begin(): void {
    this.#heads.clear();
    this.#entries.length = 0;
  }

  mark(): number {
    return this.#entries.length;
  }

  restore(mark: number): void {
    for (const { stream, head_before } of this.#entries.splice(mark).reverse()) {
      this.#heads.set(stream, head_before);
    }
  }

  async flush(db: Db): Promise<void> {
    if (this.#entries.length === 0) return;
    const streams = new Set(this.#entries.map(({ stream }) => stream));
    const heads = [...this.#heads].filter(([stream]) => streams.has(stream));
    await insertEntries(db, this.#entries);
    await saveHeads(db, heads);
  }
}
