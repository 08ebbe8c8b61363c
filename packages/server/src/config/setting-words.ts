import type { AnySchema } from './settings.ts';
import { isTable } from './tables.ts';

/** What a value of `schema` must be, in words. */
export function expectation(schema: AnySchema): string {
  if (schema.expected) return schema.expected;
  const choices = schema.enum ?? schema.anyOf?.map((choice) => choice.const);
  if (choices?.every((choice) => choice !== undefined)) {
    return `one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`;
  }
  if (schema.type === 'boolean') return 'true or false';
  if (schema.type === 'integer') return `a whole number${range(schema.minimum, schema.maximum)}`;
  if (schema.type === 'number') return `a number${range(schema.minimum, schema.maximum)}`;
  if (schema.type === 'string') {
    const { minLength: min, maxLength: max } = schema;
    if (min === undefined && max === undefined) return 'a text';
    return min === 1 && max === undefined
      ? 'a text that is not empty'
      : `a text of${range(min, max)} characters`;
  }
  if (schema.type === 'array' && schema.items) return `a list, each ${expectation(schema.items)}`;
  return 'of another form';
}

function range(min: number | undefined, max: number | undefined): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  if (min !== undefined) return ` of ${min} or more`;
  return max === undefined ? '' : ` up to ${max}`;
}

export const shown_length_max = 60;

/** `value` for a message, short and without the credentials that a URL may carry. */
export function shown(schema: AnySchema, value: unknown): string {
  if (schema.secret) return 'a value that is not shown';
  if (isTable(value)) return 'a table';
  const text = JSON.stringify(value).replaceAll(/\/\/[^/]*@/g, '//…@');
  return text.length > shown_length_max ? `${text.slice(0, shown_length_max)}…` : text;
}
