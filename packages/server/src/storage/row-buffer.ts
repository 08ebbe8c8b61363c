import type { BatchParticipant, Db } from './storage.ts';

/**
 * Rows of a batch that are written together just before its commit, in one statement in place of one for each
 * unit of work. Later units of the same batch do not see them: nobody has been told of them yet.
 */
export class RowBuffer<Row> implements BatchParticipant {
  readonly #write: (db: Db, rows: readonly Row[]) => Promise<void>;
  #rows: Row[] = [];

  constructor(write: (db: Db, rows: readonly Row[]) => Promise<void>) {
    this.#write = write;
  }

  /** Holds a row back, within a unit of work; it goes as that unit is undone. */
  add(row: Row): void {
    this.#rows.push(row);
  }

  begin(): void {
    this.#rows = [];
  }

  mark(): number {
    return this.#rows.length;
  }

  restore(mark: number): void {
    this.#rows.length = mark;
  }

  async flush(db: Db): Promise<void> {
    if (this.#rows.length > 0) await this.#write(db, this.#rows);
  }
}
