/** A map of at most `entries_max` entries: who comes when it is full puts out the one that came first. */
export class BoundedMap<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #entries_max: number;
  /**
   * Goes on where the last entry was put out. Whoever looks for the first one from the beginning passes over the
   * places of all that were, tens of thousands in a large map.
   */
  #oldest: Iterator<string, undefined> | undefined;

  constructor(entries_max: number) {
    this.#entries_max = entries_max;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  /** Puts an entry; one that is there already keeps its turn, unless it was deleted before. */
  set(key: string, value: Value): void {
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#entries_max) return;
    this.#oldest ??= this.#entries.keys();
    const { value: oldest } = this.#oldest.next();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#oldest = undefined;
  }
}
