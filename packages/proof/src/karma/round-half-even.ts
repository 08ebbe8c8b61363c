/** Digits after the point that show every double between 2^-47 and 2^53 as exactly what it is. */
const exact_digits = 100;
/** So near to a tie the quick way may err. */
const near_tie = 1e-6;

/**
 * `value`, not negative, rounded to `decimals` digits and printed with all of them. The exact value of
 * the double decides; on an exact tie the even last digit stands.
 *
 * @see D-KARMA-09
 */
export function printRounded(value: number, decimals: number): string {
  const scaled = value * 10 ** decimals;
  const fraction = scaled - Math.floor(scaled);
  if (Math.abs(fraction - 0.5) > near_tie) return value.toFixed(decimals);
  const digits = value.toFixed(exact_digits);
  const point = digits.indexOf('.');
  const is_tie = /^50*$/.test(digits.slice(point + 1 + decimals));
  if (!is_tie) return value.toFixed(decimals);
  const kept = digits.slice(0, point) + digits.slice(point + 1, point + 1 + decimals);
  const even = BigInt(kept) % 2n === 0n ? BigInt(kept) : BigInt(kept) + 1n;
  const text = even.toString().padStart(decimals + 1, '0');
  return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}

/** The same as a number. */
export function roundHalfEven(value: number, decimals: number): number {
  return Number(printRounded(value, decimals));
}
