/** How every whole number is read that is too large to be told from its neighbours; nothing is counted so far. */
export const beyond_exact = 2 ** 53;

const digits = /^[0-9]+$/;

/**
 * The whole number, 0 or more, that a text of decimal digits says, leading zeros or not; undefined for any other
 * text, a sign or white space included. What is above 2^53-1 is read as `beyond_exact`, never as another number
 * that it is not: who takes no such number asks `Number.isSafeInteger`.
 */
export const readWholeNumber = (text: string): number | undefined =>
  digits.test(text) ? Math.min(Number(text), beyond_exact) : undefined;
