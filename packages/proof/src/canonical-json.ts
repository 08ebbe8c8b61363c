/** What JSON can say; `canonicalJson` refuses everything else. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/**
 * The one JSON text of a value: no white space, members sorted by the UTF-16 code units of their
 * names, numbers and strings as ECMAScript prints them.
 *
 * @throws TypeError for what is no JSON value (`undefined`, a function, a symbol, a bigint, `NaN`,
 *   an infinity, an object of a class such as `Date`), for a lone surrogate in a string or a name,
 *   and for a value that contains itself.
 * @see RFC 8785
 */
export function canonicalJson(value: JsonValue): string {
  return print(value, new Set());
}

function print(value: unknown, ancestors: Set<object>): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return printString(value);
  if (typeof value === 'number') return printNumber(value);
  if (typeof value !== 'object') throw new TypeError(`JSON has no ${typeof value}`);
  if (ancestors.has(value)) throw new TypeError('the value contains itself');
  ancestors.add(value);
  const text = Array.isArray(value) ? printArray(value, ancestors) : printObject(value, ancestors);
  ancestors.delete(value);
  return text;
}

function printNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`JSON has no ${value}`);
  return JSON.stringify(value);
}

function printString(value: string): string {
  if (!value.isWellFormed()) throw new TypeError('the string holds a lone surrogate');
  return JSON.stringify(value);
}

function printArray(items: readonly unknown[], ancestors: Set<object>): string {
  // Array.from, because map skips the holes of a sparse array, which must be refused.
  return `[${Array.from(items, (item) => print(item, ancestors)).join(',')}]`;
}

function printObject(object: object, ancestors: Set<object>): string {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError('only plain objects and arrays are JSON');
  }
  const members = Object.entries(object)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, member]) => `${printString(name)}:${print(member, ancestors)}`);
  return `{${members.join(',')}}`;
}
