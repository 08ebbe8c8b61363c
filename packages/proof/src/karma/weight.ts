import { roundHalfEven } from './round-half-even.ts';

const weight_min = 0.1;

/**
 * What a review by somebody weighs who has received `received` reviews by now.
 *
 * @see karma §reputation (D-KARMA-07)
 */
export function weightOf(received: number): number {
  return Math.max(weight_min, Math.log10(1 + received));
}

/** Bits after the point of a weight in units, and of its lower part. */
const unit_bits = 40;
const part_bits = 20;
const part_size = 2 ** part_bits;

/**
 * A weight as a whole number of 2^-40, in two parts of which sums over 200 million reviews stay below
 * 2^53. Whole numbers are added in any order, and taken away again, without a trace of rounding.
 */
export type WeightUnits = { readonly high: number; readonly low: number };

export function weightUnits(received: number): WeightUnits {
  const units = Math.round(weightOf(received) * 2 ** unit_bits);
  return { high: Math.floor(units / part_size), low: units % part_size };
}

/** Sums over the reviews that somebody has received: of weights, and of ratings times weights. */
export type WeightedSums = {
  weight_high: number;
  weight_low: number;
  weighted_high: number;
  weighted_low: number;
};

/** Adds `reviews` reviews with ratings of `rating_sum` together, both maybe negative, at a weight. */
export function addWeighted(
  sums: WeightedSums,
  { high, low }: WeightUnits,
  { reviews, rating_sum }: { reviews: number; rating_sum: number },
): void {
  sums.weight_high += reviews * high;
  sums.weight_low += reviews * low;
  sums.weighted_high += rating_sum * high;
  sums.weighted_low += rating_sum * low;
}

/** How far two weights are apart. */
export function weightBetween(from: number, to: number): WeightUnits {
  const [before, after] = [weightUnits(from), weightUnits(to)];
  return { high: after.high - before.high, low: after.low - before.low };
}

const exact_max = BigInt(Number.MAX_SAFE_INTEGER);

/** The double nearest to a quotient of whole numbers, as far as they fit into doubles once reduced. */
function quotient(dividend: bigint, divisor: bigint): number {
  if (dividend <= exact_max) return Number(dividend) / Number(divisor);
  let [a, b] = [dividend, divisor];
  while (b !== 0n) [a, b] = [b, a % b];
  return Number(dividend / a) / Number(divisor / a);
}

/** The weighted mean of the ratings to 3 decimals; 0 where there are none. */
export function scoreOfSums(sums: WeightedSums): number {
  const join = (high: number, low: number) => (BigInt(high) << BigInt(part_bits)) + BigInt(low);
  const weight = join(sums.weight_high, sums.weight_low);
  if (weight === 0n) return 0;
  return roundHalfEven(quotient(join(sums.weighted_high, sums.weighted_low), weight), 3);
}
