import type { Clock } from './clock.ts';

/**
 * A clock that can be moved forward and held still, for practice mode and tests. Waits end when
 * their real time has passed or the clock has been moved past their end, whichever comes first: a
 * clock held still must not hang a caller who waits.
 */
export class MovableClock implements Clock {
  readonly #base: Clock;
  readonly #waits = new Map<symbol, { ends_at: number; ring: () => void }>();
  #offset_ms: number;
  #stopped_at: number | undefined;

  /** Starts at `start` (milliseconds), or at the time of `base`; `stopped` holds it still from the first. */
  constructor(base: Clock, options: { start?: number; stopped?: boolean } = {}) {
    this.#base = base;
    // Read once: what passes between two readings would be in the time at which it stands.
    const now = base.now();
    const start = options.start ?? now;
    this.#offset_ms = start - now;
    if (options.stopped) this.#stopped_at = start;
  }

  now(): number {
    return this.#stopped_at ?? this.#base.now() + this.#offset_ms;
  }

  after(delay_ms: number, ring: () => void): () => void {
    const key = Symbol('wait');
    const end = () => {
      cancelBase();
      if (this.#waits.delete(key)) ring();
    };
    const cancelBase = this.#base.after(delay_ms, end);
    this.#waits.set(key, { ends_at: this.now() + delay_ms, ring: end });
    return () => {
      cancelBase();
      this.#waits.delete(key);
    };
  }

  /** Moves the clock by `by_ms`, not back, and ends the waits that lie before the new time. */
  advance(by_ms: number): void {
    if (by_ms < 0) throw new RangeError('the clock does not go back');
    if (this.#stopped_at === undefined) this.#offset_ms += by_ms;
    else this.#stopped_at += by_ms;
    for (const wait of [...this.#waits.values()]) {
      if (wait.ends_at <= this.now()) wait.ring();
    }
  }

  /** Moves the clock to `instant` (milliseconds), not back. */
  advanceTo(instant: number): void {
    this.advance(instant - this.now());
  }

  /** Holds the clock still. */
  stop(): void {
    this.#stopped_at = this.now();
  }

  /** Lets a clock that stands still go on from where it stands. */
  resume(): void {
    if (this.#stopped_at === undefined) return;
    this.#offset_ms = this.#stopped_at - this.#base.now();
    this.#stopped_at = undefined;
  }
}
