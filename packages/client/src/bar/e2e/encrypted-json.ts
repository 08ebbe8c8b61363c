import { decodeBase64 } from '@stoa/proof';
import { UndecipherableError } from './undecipherable-error.ts';

/** The members of an object that is written as JSON, by a text or by its UTF-8. */
export function readJsonObject(json: string | Uint8Array): { readonly [name: string]: unknown } {
  let value: unknown;
  try {
    const text = typeof json === 'string' ? json : utf8.decode(json);
    value = JSON.parse(text);
  } catch {
    throw new UndecipherableError('form', 'what should be JSON is none');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UndecipherableError('form', 'what should be a JSON object is none');
  }
  return { ...value };
}

/** The bytes of a member in standard base64, of `bytes_exact` bytes unless that is left out. */
export function readBase64(value: unknown, what: string, bytes_exact?: number): Uint8Array {
  const text = typeof value === 'string' ? value : '';
  const padding = /={0,2}$/.exec(text)?.[0].length ?? 0;
  const bytes = decodeBase64(text, bytes_exact ?? (text.length / 4) * 3 - padding);
  if (bytes === undefined || bytes.length === 0) {
    throw new UndecipherableError('form', `${what} is no base64 of its length`);
  }
  return bytes;
}

/** A member that must be a text. */
export function readText(value: unknown, what: string): string {
  if (typeof value === 'string') return value;
  throw new UndecipherableError('form', `${what} is no text`);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
