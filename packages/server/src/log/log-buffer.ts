import type { BatchParticipant, Db } from '../storage/storage.ts';
import type { Head, LogEntry } from './log.ts';
import { insertEntries, saveHeads } from './log-store.ts';

/** A head as it was before an entry moved it. */
type Moved = { readonly stream: string; readonly head_before: Head };

/**
 * The entries of one batch, held back until just before its commit and then written together: the
 * lock that the batch holds keeps the heads it has read from moving.
 */
export class LogBuffer implements BatchParticipant {
  #heads = new Map<string, Head>();
  readonly #added: { entry: LogEntry; moved: readonly Moved[] }[] = [];

  /** The head of `stream` as this batch knows it. */
  head(stream: string): Head | undefined {
    return this.#heads.get(stream);
  }

  /** Takes the stored head of a stream that this batch has not met yet. */
  know(stream: string, head: Head): Head {
    this.#heads.set(stream, head);
    return head;
  }

  /** Takes an entry that continues the known head of its stream, and of `numbered_by` if it is given. */
  add(entry: LogEntry, numbered_by: string | undefined): void {
    const { stream, position, hash } = entry;
    const moved = [this.#move(stream, (head) => ({ position, hash, entries: head.entries + 1 }))];
    if (numbered_by !== undefined) {
      moved.push(this.#move(numbered_by, (head) => ({ ...head, position })));
    }
    this.#added.push({ entry, moved });
  }

  #move(stream: string, next: (head: Head) => Head): Moved {
    const head_before = this.#heads.get(stream);
    if (!head_before) throw new Error('an entry was added to a stream whose head is not known');
    this.#heads.set(stream, next(head_before));
    return { stream, head_before };
  }

  begin(): void {
    // A new one: an emptied table still points to what comes after it, which then outlives its time with it.
    this.#heads = new Map();
    this.#added.length = 0;
  }

  mark(): number {
    return this.#added.length;
  }

  restore(mark: number): void {
    for (const { moved } of this.#added.splice(mark).reverse()) {
      for (const { stream, head_before } of moved) this.#heads.set(stream, head_before);
    }
  }

  async flush(db: Db): Promise<void> {
    if (this.#added.length === 0) return;
    const moved = new Set(this.#added.flatMap((added) => added.moved.map(({ stream }) => stream)));
    const heads = [...this.#heads].filter(([stream]) => moved.has(stream));
    await insertEntries(
      db,
      this.#added.map(({ entry }) => entry),
    );
    await saveHeads(db, heads);
  }
}
