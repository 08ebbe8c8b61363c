/** The house's only source of time. */
export type Clock = {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Calls `ring` once `delay_ms` have passed; the answer cancels it. Does not keep the process alive. */
  after(delay_ms: number, ring: () => void): () => void;
};

/** The machine's clock. */
export const system_clock: Clock = {
  now: () => Date.now(),
  after(delay_ms, ring) {
    const timer = setTimeout(ring, delay_ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** The UTC date of an instant in milliseconds, as `YYYY-MM-DD`. */
export function utcDate(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

/** An instant in milliseconds as `YYYY-MM-DDTHH:MM:SS.mmmZ` (RFC 3339). */
export function isoInstant(instant: number): string {
  return new Date(instant).toISOString();
}

const day_ms = 86_400_000;

/** The instant at which the UTC day after that of `instant` begins. */
export function nextUtcMidnight(instant: number): number {
  return (Math.floor(instant / day_ms) + 1) * day_ms;
}
