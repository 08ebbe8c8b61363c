/** Who trusts whom, and by how much: parallel lists, agents as numbers from 0. */
export type LocalTrust = {
  readonly agents: number;
  readonly from: ArrayLike<number>;
  readonly to: ArrayLike<number>;
  /** Above 0. Between the same two agents stands one value at most. */
  readonly value: ArrayLike<number>;
};

export type EigenTrustOptions = {
  /** The share of trust that flows back to the pre-trusted agents at each step. */
  readonly alpha: number;
  /** Ends when a step moves less than this, over all agents together. */
  readonly epsilon: number;
  readonly steps_max: number;
};

const total = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0);

/**
 * EigenTrust's basic algorithm: global trust as the fixed point of local trust, pulled towards the
 * pre-trusted agents. `pre_trust` has a weight for each agent, not all 0. Agents who trust nobody
 * trust as the pre-trusted are trusted; trust in oneself is not counted. The answers add up to 1.
 *
 * Yields after each step, so that a caller with other work may rest in between.
 *
 * @see Kamvar, Schlosser, Garcia-Molina: The EigenTrust Algorithm (2003), algorithm 2
 */
export function* eigenTrust(
  { agents, from, to, value }: LocalTrust,
  pre_trust: Float64Array,
  { alpha, epsilon, steps_max }: EigenTrustOptions,
): Generator<void, Float64Array> {
  const pre_sum = total(pre_trust);
  if (!(pre_sum > 0)) throw new RangeError('somebody must be trusted before the first step');
  const start = pre_trust.map((weight) => weight / pre_sum);
  const given = new Float64Array(agents);
  for (let edge = 0; edge < from.length; edge += 1) {
    const [truster = 0, trusted = 0] = [from[edge], to[edge]];
    if (truster !== trusted) given[truster] = (given[truster] ?? 0) + (value[edge] ?? 0);
  }
  let trust = start.slice();
  for (let step = 0; step < steps_max; step += 1) {
    const next = new Float64Array(agents);
    for (let edge = 0; edge < from.length; edge += 1) {
      const [truster = 0, trusted = 0] = [from[edge], to[edge]];
      if (truster === trusted) continue;
      const share = (value[edge] ?? 0) / (given[truster] ?? 1);
      next[trusted] = (next[trusted] ?? 0) + (trust[truster] ?? 0) * share;
    }
    // What those who trust nobody hold goes to the pre-trusted.
    let undecided = 0;
    for (let agent = 0; agent < agents; agent += 1) {
      if (given[agent] === 0) undecided += trust[agent] ?? 0;
    }
    let moved = 0;
    for (let agent = 0; agent < agents; agent += 1) {
      const pre = start[agent] ?? 0;
      const flown = (next[agent] ?? 0) + undecided * pre;
      next[agent] = (1 - alpha) * flown + alpha * pre;
      moved += Math.abs((next[agent] ?? 0) - (trust[agent] ?? 0));
    }
    trust = next;
    if (moved < epsilon) break;
    yield;
  }
  return trust;
}
