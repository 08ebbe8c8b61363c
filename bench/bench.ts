/** One line of a benchmark's table. */
export type BenchRow = {
  readonly what: string;
  /** Operations a second, or another number with its unit. */
  readonly value: string;
  /** Against the baseline named here, measured in the same run. */
  readonly ratio?: { readonly of: string; readonly value: number; readonly target?: number };
};

/** A benchmark: a name to ask for it by, and what it prints. */
export type Bench = {
  readonly name: string;
  readonly title: string;
  /** How it was measured, in a sentence or two. */
  readonly method: string;
  readonly run: (say: (line: string) => void) => Promise<readonly BenchRow[]>;
};

/** The middle one of `values`. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Operations a second as a table shows them. */
export const perSecond = (rate: number): string => `${Math.round(rate).toLocaleString('en-US')}/s`;

/**
 * Runs each candidate once a round, in turn, so that a slow moment of the machine falls on all of
 * them; answers the median rate (operations a second) of each.
 */
export async function inTurn<Name extends string>(
  rounds: number,
  candidates: Readonly<Record<Name, () => Promise<{ operations: number; elapsed_ms: number }>>>,
  say: (line: string) => void,
): Promise<Record<Name, number>> {
  const names = Object.keys(candidates) as Name[];
  const rates = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const name of names) {
      const { operations, elapsed_ms } = await candidates[name]();
      const rate = (operations / elapsed_ms) * 1_000;
      rates.get(name)?.push(rate);
      say(`  round ${round}/${rounds}  ${name}: ${perSecond(rate)}`);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(rates.get(name) ?? [])])) as Record<
    Name,
    number
  >;
}

/** Keeps `concurrency` calls of `operation` under way until `operations` have ended. */
export async function keepBusy(
  operations: number,
  concurrency: number,
  operation: (index: number) => Promise<unknown>,
): Promise<{ operations: number; elapsed_ms: number }> {
  let next = 0;
  const begun_at = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (next < operations) await operation(next++);
    }),
  );
  return { operations, elapsed_ms: performance.now() - begun_at };
}
