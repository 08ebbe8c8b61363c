import type { BatchParticipant, Db, Tx } from './storage.ts';

/**
 * Rows of a batch that are written together just before its commit, in one statement in place of one for each
 * unit of work. Later units of the same batch do not see them: nobody has been told of them yet. One that has to,
 * because it changes such rows, say, asks for them with `settle`.
 */
export class RowBuffer<Row> implements BatchParticipant {
  readonly #write: (db: Db, rows: readonly Row[]) => Promise<void>;
  #rows: Row[] = [];
  /** How many of them are written already, and how many were before the last unit of work began. */
  #written = 0;
  #written_before = 0;

  constructor(write: (db: Db, rows: readonly Row[]) => Promise<void>) {
    this.#write = write;
  }

  /** Holds a row back, within a unit of work; it goes as that unit is undone. */
  add(row: Row): void {
    this.#rows.push(row);
  }

  /** Whether a unit of the open batch has added a row that `test` finds, this one or one before it. */
  some(test: (row: Row) => boolean): boolean {
    return this.#rows.some(test);
  }

  /** Writes what is held back, so that the statements of this unit of work find it. */
  async settle(tx: Tx): Promise<void> {
    if (this.#written < this.#rows.length) await this.flush(tx.db);
  }

  begin(): void {
    this.#rows = [];
    this.#written = 0;
  }

  mark(): number {
    this.#written_before = this.#written;
    return this.#rows.length;
  }

  restore(mark: number): void {
    this.#rows.length = mark;
    // What the undone unit has settled is in the database no more.
    this.#written = this.#written_before;
  }

  async flush(db: Db): Promise<void> {
    const rows = this.#written === 0 ? this.#rows : this.#rows.slice(this.#written);
    if (rows.length === 0) return;
    await this.#write(db, rows);
    this.#written = this.#rows.length;
  }
}
