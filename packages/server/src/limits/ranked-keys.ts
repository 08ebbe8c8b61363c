/** Keys forgotten in one sweep, so that it does not hold up the event loop. */
const swept_keys_max = 20_000;

type Slot<State> = { readonly key: string; state: State; rank: number };

/** The keys of one rank, in the order in which they came to it. */
type Peers<State> = {
  readonly slots: Set<Slot<State>>;
  /** Goes on where the last one was taken out: those that were before it leave places that are slow to pass over. */
  readonly oldest: Iterator<Slot<State>, undefined>;
};

function noPeers<State>(): Peers<State> {
  const slots = new Set<Slot<State>>();
  return { slots, oldest: slots.values() };
}

/**
 * States by key, and for when there are too many of them a whole-numbered rank, of which there are few at a time.
 * The keys are grouped by it from the first time that one has to go, until they have become few again: before that
 * nobody asks for the lowest.
 */
export class RankedKeys<State> {
  readonly #slots = new Map<string, Slot<State>>();
  /** None while the keys are not grouped. */
  readonly #ranks = new Map<number, Peers<State>>();
  /** How many keys there were when they were grouped; 0 while they are not. */
  #grouped_size = 0;
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
    const slot = known ?? { key, state, rank };
    if (!known) this.#slots.set(key, slot);
    slot.state = state;
    if (this.#grouped_size === 0) {
      slot.rank = rank;
      return;
    }
    if (known?.rank === rank) return;
    this.#leaveRank(slot);
    slot.rank = rank;
    this.#joinRank(slot);
  }

  delete(key: string): void {
    const slot = this.#slots.get(key);
    if (!slot) return;
    this.#slots.delete(key);
    this.#leaveRank(slot);
  }

  /** Takes out the key that came first among those of the lowest rank, and answers its state. */
  takeLowest(): State | undefined {
    if (this.#grouped_size === 0) {
      this.#grouped_size = this.#slots.size;
      for (const slot of this.#slots.values()) this.#joinRank(slot);
    }
    if (!this.#ranks.has(this.#rank_floor)) {
      this.#rank_floor = this.#ranks.keys().reduce((a, b) => Math.min(a, b), Infinity);
    }
    const slot = this.#ranks.get(this.#rank_floor)?.oldest.next().value;
    if (slot) this.delete(slot.key);
    return slot?.state;
  }

  /**
   * Forgets the keys that are over, of grouped ones those of each rank in the order in which they came to it, up
   * to the first that is not; true if it ended before that, at the bound of one sweep.
   */
  sweep(isOver: (state: State) => boolean): boolean {
    let swept = 0;
    const groups =
      this.#grouped_size > 0
        ? this.#ranks.values().map(({ slots }) => slots)
        : [this.#slots.values()];
    for (const peers of groups) {
      for (const { key, state } of peers) {
        if (!isOver(state)) {
          if (this.#grouped_size > 0) break;
          continue;
        }
        if (swept === swept_keys_max) return true;
        this.delete(key);
        swept += 1;
      }
    }
    if (this.#slots.size < this.#grouped_size / 2) {
      this.#ranks.clear();
      this.#rank_floor = Infinity;
      this.#grouped_size = 0;
    }
    return false;
  }

  #joinRank(slot: Slot<State>): void {
    const peers = this.#ranks.get(slot.rank) ?? noPeers();
    peers.slots.add(slot);
    this.#ranks.set(slot.rank, peers);
    this.#rank_floor = Math.min(this.#rank_floor, slot.rank);
  }

  #leaveRank(slot: Slot<State>): void {
    const peers = this.#ranks.get(slot.rank);
    if (peers?.slots.delete(slot) && peers.slots.size === 0) this.#ranks.delete(slot.rank);
  }
}
