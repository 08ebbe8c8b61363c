import { resolve } from 'node:path';
import type { TSchema } from 'typebox';

/** Reads a word of the command line as `schema` asks for it; throws with a sentence for the operator. */
export function readArgument(name: string, schema: TSchema, text: string): string | number {
  const {
    type,
    description,
    'x-argument': kind,
  } = schema as { type?: string; description?: string; 'x-argument'?: 'path' };
  if (kind === 'path') return resolve(text);
  if (type !== 'integer') return text;
  if (!/^(0|-?[1-9][0-9]{0,15})$/.test(text)) {
    throw new Error(
      `${name} must be a whole number, ${description ?? ''}; got ${JSON.stringify(text)}`,
    );
  }
  return Number(text);
}
