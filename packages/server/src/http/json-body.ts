import { parse } from 'secure-json-parse';
import { InputFault } from './input.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Whether arrays and objects lie deeper in each other than `nesting_max` levels. */
function isNestedDeeper(json: string, nesting_max: number): boolean {
  let level = 0;
  let is_string = false;
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index];
    if (is_string) {
      if (character === '\\') index += 1;
      else if (character === '"') is_string = false;
    } else if (character === '"') is_string = true;
    else if (character === '[' || character === '{') {
      level += 1;
      if (level > nesting_max) return true;
    } else if (character === ']' || character === '}') level -= 1;
  }
  return false;
}

/**
 * The JSON value in the octets of a request body, undefined if there are none: strict UTF-8 without a
 * byte order mark (RFC 8259, section 8.1). With `nesting_max` deeper values are refused, and so are
 * members called `__proto__`. Throws `InputFault`.
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
  try {
    // The parser that looks at members passes over a byte order mark.
    if (nesting_max === undefined || text.startsWith('\ufeff')) return JSON.parse(text);
    return parse(text, { protoAction: 'error', constructorAction: 'ignore' });
  } catch {
    throw new InputFault('body is not JSON that we read; send a JSON object');
  }
}
