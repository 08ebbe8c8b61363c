import { Ajv, type ValidateFunction } from 'ajv';
import type { TObject, TSchema } from 'typebox';
import type { Rule } from '../room.ts';

/** What is wrong with an input, beginning with the field. */
export class InputFault extends Error {
  override name = 'InputFault';
}

type Field = {
  name: string;
  is_required: boolean;
  type: string | undefined;
  wanted: string;
  rule: Rule | undefined;
  check: ValidateFunction;
};

type Given = Readonly<Record<string, unknown>>;

/** A reader of one part of a request: the declared fields, or an `InputFault` for the first that is wrong. */
export type InputReader = (given: unknown, now: number) => Given;

const ajv = new Ajv({
  strict: false,
  allErrors: false,
  coerceTypes: false,
  validateFormats: false,
});

const decimal = /^(?:0|[1-9][0-9]{0,15})$/;

const schemaWords: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
};

function wantedOf(schema: TSchema): string {
  const { type, description } = schema as { type?: string; description?: string };
  return description ?? schemaWords[type ?? ''] ?? 'a value of the documented form';
}

function toField(
  name: string,
  schema: TSchema,
  required: readonly string[],
  rules: Record<string, Rule>,
): Field {
  const { 'x-rule': rule_name, type } = schema as { 'x-rule'?: string; type?: string };
  const rule = rule_name === undefined ? undefined : rules[rule_name];
  if (rule_name !== undefined && !rule) throw new Error(`no rule is called ${rule_name}`);
  return {
    name,
    is_required: required.includes(name),
    type,
    wanted: wantedOf(schema),
    rule,
    check: ajv.compile(schema),
  };
}

/** A fault of a schema's `keyword` in words of ours, where the validator's own would not do. */
function problemWords(keyword: string | undefined, type: string | undefined, value: unknown) {
  if (value === null) return 'must not be null';
  if (keyword === 'anyOf' || (keyword === 'type' && type === undefined))
    return 'is not of a form that is taken';
  if (keyword === 'type') return `must be ${schemaWords[type ?? ''] ?? 'of another type'}`;
  return keyword === 'pattern' ? 'is not of the right form' : undefined;
}

function complaint(field: Field, value: unknown, now: number): string | undefined {
  if (!field.check(value)) {
    const { keyword, message } = field.check.errors?.[0] ?? {};
    const problem = problemWords(keyword, field.type, value) ?? message;
    return `${problem}; send ${field.wanted}`;
  }
  // @NOTE The schema beside the rule gives the value its type.
  const wrong = value === null ? undefined : field.rule?.(value as never, now);
  return wrong === undefined ? undefined : `${wrong}; send ${field.wanted}`;
}

/**
 * Compiles a reader of objects like `schema`. Fields are checked one by one in the order in which the
 * schema lists them, so that the first wrong one is named; members that it does not list are left
 * out. From `text` (query strings and paths) decimals become integers where the schema asks for one.
 */
export function compileInput(
  schema: TObject,
  rules: Readonly<Record<string, Rule>>,
  source: 'json' | 'text',
): InputReader {
  const fields = Object.entries(schema.properties).map(([name, field]) =>
    toField(name, field, schema.required ?? [], rules),
  );
  return (given, now) => {
    if (given === undefined) throw new InputFault('body is empty; send a JSON object');
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      throw new InputFault('body must be a JSON object');
    }
    const read: Record<string, unknown> = {};
    for (const field of fields) {
      let value = Object.hasOwn(given, field.name) ? (given as Given)[field.name] : undefined;
      if (value === undefined) {
        if (field.is_required)
          throw new InputFault(`${field.name} is missing; send ${field.wanted}`);
        continue;
      }
      if (source === 'text') {
        if (Array.isArray(value))
          throw new InputFault(`${field.name} is given twice; send it once`);
        if (field.type === 'integer' && typeof value === 'string' && decimal.test(value))
          value = Number(value);
      }
      const wrong = complaint(field, value, now);
      if (wrong !== undefined) throw new InputFault(`${field.name} ${wrong}`);
      read[field.name] = value;
    }
    return read;
  };
}

/** Throws if `value` is not what `schema` describes: an answer of ours that its document does not promise. */
export function compileAnswerCheck(schema: TSchema, what: string): (value: unknown) => void {
  const check = ajv.compile(schema);
  return (value) => {
    // What is sent is JSON: members that are undefined are not in it.
    if (!check(JSON.parse(JSON.stringify(value)))) {
      throw new Error(`the answer of ${what} is not as described: ${ajv.errorsText(check.errors)}`);
    }
  };
}
