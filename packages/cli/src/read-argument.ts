import type { TSchema } from 'typebox';

/** Reads a word of the command line as `schema` asks for it; throws with a sentence for the operator. */
export function readArgument(name: string, schema: TSchema, text: string): string | number {
  const { type, description } = schema as { type?: string; description?: string };
  if (type !== 'integer') return text;
  if (!/^-?[0-9]{1,16}$/.test(text)) {
    throw new Error(
      `${name} must be a whole number, ${description ?? ''}; got ${JSON.stringify(text)}`,
    );
  }
  return Number(text);
}
