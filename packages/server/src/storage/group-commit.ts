import { type BatchParticipant, type Db, StorageUnavailableError, type Tx } from './storage.ts';

/**
 * The one connection that writes. `savepoint`, `release` and `undo` may be queued by the connection;
 * a failure of theirs must come out of `commit` at the latest.
 */
export type Writer = {
  readonly db: Db;
  begin(): Promise<void>;
  savepoint(): void;
  release(): void;
  undo(): void;
  /** Commits, and tells other processes of the house which topics to wake. */
  commit(topics: readonly string[]): Promise<void>;
  rollback(): Promise<void>;
};

type Work = {
  run: (tx: Tx) => Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
};

type Outcome = { kept: true; value: unknown } | { kept: false; reason: unknown };

/** A unit of work's handle; the savepoint is taken only when it touches the database. */
class WorkTx implements Tx {
  readonly topics: string[] = [];
  readonly effects: (() => void)[] = [];
  has_savepoint = false;
  is_over = false;
  readonly #writer: Writer;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  get db(): Db {
    if (this.is_over) throw new Error('a transaction handle was used after its work had ended');
    if (!this.has_savepoint) {
      this.has_savepoint = true;
      this.#writer.savepoint();
    }
    return this.#writer.db;
  }

  wake(topic: string): void {
    this.topics.push(topic);
  }

  afterCommit(effect: () => void): void {
    this.effects.push(effect);
  }
}

/**
 * Puts units of work that arrive together into one transaction: one begin, a savepoint each, one
 * commit, and only then the answers. A unit that throws undoes itself alone; a commit that fails
 * rejects every unit of its batch.
 */
export class GroupCommit {
  readonly #writer: Writer;
  readonly #batch_works_max: number;
  readonly #wake: (topic: string) => void;
  readonly #participants: BatchParticipant[] = [];
  #queue: Work[] = [];
  #drain: Promise<void> | undefined;
  #is_closed = false;

  constructor(options: {
    writer: Writer;
    batch_works_max: number;
    wake: (topic: string) => void;
  }) {
    this.#writer = options.writer;
    this.#batch_works_max = options.batch_works_max;
    this.#wake = options.wake;
  }

  join(participant: BatchParticipant): void {
    this.#participants.push(participant);
  }

  transact<T>(run: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.#is_closed) {
      return Promise.reject(new StorageUnavailableError('the database is closed'));
    }
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ run, resolve: resolve as Work['resolve'], reject });
      this.#drain ??= this.#drainQueue();
    });
  }

  /** Commits what is queued; later units are refused. */
  async close(): Promise<void> {
    this.#is_closed = true;
    await this.#drain;
  }

  async #drainQueue(): Promise<void> {
    while (this.#queue.length > 0) {
      await this.#gather();
      const batch = this.#queue.splice(0, this.#batch_works_max);
      await this.#commitBatch(batch);
    }
    this.#drain = undefined;
  }

  /**
   * Waits for as long as every turn of the event loop brings more units of work, so that requests which arrive
   * together are committed together: a sync of the disk costs as much as many of them.
   */
  async #gather(): Promise<void> {
    let met: number;
    do {
      met = this.#queue.length;
      await new Promise((resolve) => setImmediate(resolve));
    } while (this.#queue.length > met && this.#queue.length < this.#batch_works_max);
  }

  async #commitBatch(batch: readonly Work[]): Promise<void> {
    const outcomes: Outcome[] = [];
    const topics = new Set<string>();
    const effects: (() => void)[] = [];
    try {
      await this.#writer.begin();
      for (const participant of this.#participants) participant.begin();
      for (const work of batch) outcomes.push(await this.#runWork(work, topics, effects));
      for (const participant of this.#participants) await participant.flush(this.#writer.db);
      await this.#writer.commit([...topics]);
    } catch (error) {
      await this.#writer.rollback().catch(() => {});
      for (const [index, work] of batch.entries()) {
        const outcome = outcomes[index];
        work.reject(outcome && !outcome.kept ? outcome.reason : error);
      }
      return;
    }
    for (const effect of effects) effect();
    for (const [index, work] of batch.entries()) {
      const outcome = outcomes[index];
      if (outcome?.kept) work.resolve(outcome.value);
      else work.reject(outcome?.reason);
    }
    for (const topic of topics) this.#wake(topic);
  }

  async #runWork(work: Work, topics: Set<string>, effects: (() => void)[]): Promise<Outcome> {
    const tx = new WorkTx(this.#writer);
    const marks = this.#participants.map((participant) => participant.mark());
    try {
      const value = await work.run(tx);
      if (tx.has_savepoint) this.#writer.release();
      for (const topic of tx.topics) topics.add(topic);
      effects.push(...tx.effects);
      return { kept: true, value };
    } catch (reason) {
      if (tx.has_savepoint) this.#writer.undo();
      for (const [index, participant] of this.#participants.entries()) {
        participant.restore(marks[index] ?? 0);
      }
      return { kept: false, reason };
    } finally {
      tx.is_over = true;
    }
  }
}
