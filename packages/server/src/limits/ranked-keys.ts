/** Keys forgotten in one sweep, so that it does not hold up the event loop. */
const swept_keys_max = 20_000;

type Slot<State> = { readonly key: string; state: State; rank: number };

/** States by key, grouped by a whole-numbered rank of which there are few at a time. */
export class RankedKeys<State> {
  readonly #slots = new Map<string, Slot<State>>();
  /** Each set is in the order in which its keys came to this rank. */
  readonly #ranks = new Map<number, Set<Slot<State>>>();
  /** No rank is lower. */
  #rank_floor = Infinity;

  get size(): number {
    return this.#slots.size;
  }

  get(key: string): State | undefined {
    return this.#slots.get(key)?.state;
  }

  put(key: string, state: State, rank: number): void {
    const known = this.#slots.get(key);
    if (known?.rank === rank) {
      known.state = state;
      return;
    }
    const slot = known ?? { key, state, rank };
    this.#leaveRank(slot);
    slot.state = state;
    slot.rank = rank;
    this.#slots.set(key, slot);
    const peers = this.#ranks.get(rank) ?? new Set();
    this.#ranks.set(rank, peers.add(slot));
    this.#rank_floor = Math.min(this.#rank_floor, rank);
  }

  delete(key: string): void {
    const slot = this.#slots.get(key);
    if (!slot) return;
    this.#slots.delete(key);
    this.#leaveRank(slot);
  }

  /** Takes out the key that came first among those of the lowest rank, and answers its state. */
  takeLowest(): State | undefined {
    if (!this.#ranks.has(this.#rank_floor)) {
      this.#rank_floor = this.#ranks.keys().reduce((a, b) => Math.min(a, b), Infinity);
    }
    const [slot] = this.#ranks.get(this.#rank_floor) ?? [];
    if (slot) this.delete(slot.key);
    return slot?.state;
  }

  /**
   * Forgets the keys of each rank, in the order in which they came to it, up to the first that is not
   * over; true if it ended before that, at the bound of one sweep.
   */
  sweep(isOver: (state: State) => boolean): boolean {
    let swept = 0;
    for (const peers of this.#ranks.values()) {
      for (const { key, state } of peers) {
        if (!isOver(state)) break;
        if (swept === swept_keys_max) return true;
        this.delete(key);
        swept += 1;
      }
    }
    return false;
  }

  #leaveRank(slot: Slot<State>): void {
    const peers = this.#ranks.get(slot.rank);
    if (peers?.delete(slot) && peers.size === 0) this.#ranks.delete(slot.rank);
  }
}
