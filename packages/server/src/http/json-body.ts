import { parse } from 'secure-json-parse';
import { InputFault } from './input.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const [quote, backslash] = [0x22, 0x5c];
const [open_array, close_array] = [0x5b, 0x5d];
const [open_object, close_object] = [0x7b, 0x7d];

/** Whether arrays and objects lie deeper in each other than `nesting_max` levels. */
function isNestedDeeper(json: string, nesting_max: number): boolean {
  let level = 0;
  let is_string = false;
  for (let index = 0; index < json.length; index += 1) {
    const unit = json.charCodeAt(index);
    if (is_string) {
      if (unit === backslash) index += 1;
      else if (unit === quote) is_string = false;
    } else if (unit === quote) is_string = true;
    else if (unit === open_array || unit === open_object) {
      level += 1;
      if (level > nesting_max) return true;
    } else if (unit === close_array || unit === close_object) level -= 1;
  }
  return false;
}

/** May stand in a number that JavaScript reads as 0: an exponent of three digits, or many zeros. */
const may_underflow = /[eE]-\d{3}|0{200}/;

/** A number that is not 0 and would be read as 0, as it stands in the text; undefined if there is none. */
function findUnderflow(json: string): string | undefined {
  if (!may_underflow.test(json)) return undefined;
  let found: string | undefined;
  // @NOTE ECMAScript 2026 gives a reviver the text of each number, which the types do not know.
  const revive = ((_name: string, value: unknown, { source = '' }: { source?: string } = {}) => {
    if (value === 0 && /^[^eE]*[1-9]/.test(source)) found ??= source;
    return value;
  }) as (this: unknown, name: string, value: unknown) => unknown;
  JSON.parse(json, revive);
  return found;
}

/**
 * The JSON value in the octets of a request body, undefined if there are none: strict UTF-8 without a
 * byte order mark (RFC 8259, section 8.1). With `nesting_max` deeper values are refused, and so are
 * members called `__proto__`, and numbers so small that they would become 0. Throws `InputFault`.
 */
export function parseJsonBody(octets: Buffer, nesting_max?: number): unknown {
  if (octets.length === 0) return undefined;
  let text: string;
  try {
    text = utf8.decode(octets);
  } catch {
    throw new InputFault('body is not UTF-8; send JSON in UTF-8');
  }
  if (nesting_max !== undefined && isNestedDeeper(text, nesting_max)) {
    throw new InputFault(`body is nested deeper than ${nesting_max} levels; send a flatter one`);
  }
  let underflow: string | undefined;
  try {
    // The parser that looks at members passes over a byte order mark.
    if (nesting_max === undefined || text.startsWith('\ufeff')) return JSON.parse(text);
    const value: unknown = parse(text, { protoAction: 'error', constructorAction: 'ignore' });
    underflow = findUnderflow(text);
    if (underflow === undefined) return value;
  } catch {
    throw new InputFault('body is not JSON that we read; send a JSON object');
  }
  throw new InputFault(
    `body holds the number ${underflow.slice(0, 40)}, which would become 0; send the JSON as a string, or the number as one`,
  );
}
