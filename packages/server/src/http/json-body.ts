import { InputFault } from './input.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The JSON value in the octets of a request body: strict UTF-8 without a byte order mark (RFC 8259,
 * section 8.1). Throws `InputFault`.
 */
export function parseJsonBody(octets: Buffer): unknown {
  if (octets.length === 0) throw new InputFault('body is empty; send a JSON object');
  let text: string;
  try {
    text = utf8.decode(octets);
  } catch {
    throw new InputFault('body is not UTF-8; send JSON in UTF-8');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new InputFault('body is not JSON; send a JSON object');
  }
}
