/** Whether a number in it was, or would be, another than the one that was sent. */
function hasLostNumber(value: unknown): boolean {
  if (typeof value === 'number') {
    return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
  }
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(hasLostNumber);
}

/**
 * The compact encoding of a JSON value, as parsed from a request that bounds its nesting: what
 * ECMAScript's `JSON.stringify` makes of it (D-BAR-43). Numbers that JavaScript cannot hold exactly are
 * wrong: integers beyond 2^53-1, which parsing has rounded, and those that overflow.
 */
export function compactJson(value: unknown): { text: string } | { wrong: string } {
  if (hasLostNumber(value)) {
    return {
      wrong:
        'holds a number beyond 9007199254740991 that would change its value; send the JSON as a string, or the number as one',
    };
  }
  return { text: JSON.stringify(value) };
}
