import { Ajv, type ValidateFunction } from 'ajv';
import type { TObject, TSchema } from 'typebox';
import { readWholeNumber } from '../read-whole-number.ts';
import type { Rule } from '../room.ts';
import { problemWords, wantedWords } from './problem-words.ts';

/** A part of a request that holds fields. */
export type Part = 'body' | 'query' | 'path';

/** One wrong field, for rooms whose protocol lists them all. */
export type FieldFault = {
  readonly part: Part;
  /** Undefined where the whole body is meant. */
  readonly field: string | undefined;
  /** `missing`, `twice`, `rule`, or the keyword of JSON Schema that does not hold. */
  readonly keyword: string;
  /** What belongs to the keyword, such as `{ limit: 200 }`, `{ type: 'string' }` or `{ rule: 'text' }`. */
  readonly params: Readonly<Record<string, unknown>>;
};

/** What is wrong with an input, beginning with the field. */
export class InputFault extends Error {
  override name = 'InputFault';
  /** Each wrong field once, if the reader was asked for all of them. */
  readonly fields: readonly FieldFault[];
  /** What to do next, where the room's own hint would not do. */
  hint: string | undefined;

  constructor(message: string, fields: readonly FieldFault[] = []) {
    super(message);
    this.fields = fields;
  }
}

type Field = {
  name: string;
  is_required: boolean;
  type: string | undefined;
  wanted: string;
  rule_name: string | undefined;
  rule: Rule | undefined;
  schema: TSchema;
  check: ValidateFunction | undefined;
};

type Given = Readonly<Record<string, unknown>>;

/** A reader of one part of a request: the declared fields, or an `InputFault` for the first that is wrong. */
export type InputReader = (given: unknown, now: number) => Given;

const ajv = new Ajv({
  strict: false,
  allErrors: false,
  coerceTypes: false,
  validateFormats: false,
  // With the schema that does not hold: a fault is put into words by it.
  verbose: true,
});

/** How integers stand in text: `plain` without leading zeros, `signed` with a minus if they have one. */
type Decimal = 'plain' | 'whole' | 'signed';

const plain = /^(?:0|[1-9][0-9]{0,15})$/;

/** The integer that a text says; the text itself if it says none. */
function readDecimal(text: string, how: Decimal): number | string {
  if (how === 'plain' && !plain.test(text)) return text;
  const is_below = how === 'signed' && text.startsWith('-');
  const number = readWholeNumber(is_below ? text.slice(1) : text);
  if (number === undefined) return text;
  return is_below ? 0 - number : number;
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
    wanted: wantedWords(schema),
    rule_name,
    rule,
    schema,
    check: undefined,
  };
}

/** The check of a field, compiled when it is first asked for: most processes take few of the many routes. */
function checkOf(field: Field): ValidateFunction {
  field.check ??= ajv.compile(field.schema);
  return field.check;
}

/** What is wrong with a field: in words, and as its keyword with what belongs to it. */
type Complaint = Pick<FieldFault, 'keyword' | 'params'> & { words: string };

function complaint(field: Field, value: unknown, now: number): Complaint | undefined {
  const { rule, rule_name, wanted } = field;
  const check = checkOf(field);
  if (!check(value)) {
    const errors = check.errors ?? [];
    const { keyword = 'type', params = {} } = errors[0] ?? {};
    return { keyword, params, words: problemWords(field.schema, errors, value) };
  }
  // @NOTE The schema beside the rule gives the value its type.
  const wrong = value === null ? undefined : rule?.(value as never, now);
  if (wrong === undefined) return undefined;
  return { keyword: 'rule', params: { rule: rule_name }, words: `${wrong}; send ${wanted}` };
}

/** The value of a field as it is to be read, or what is wrong with it. */
function readField(
  field: Field,
  given: Given,
  how: { source: 'json' | 'text'; decimal: Decimal; now: number },
): { value: unknown } | Complaint {
  const value = Object.hasOwn(given, field.name) ? given[field.name] : undefined;
  if (value === undefined) {
    if (!field.is_required) return { value };
    return { keyword: 'missing', params: {}, words: `is missing; send ${field.wanted}` };
  }
  if (how.source === 'text' && Array.isArray(value)) {
    return { keyword: 'twice', params: {}, words: 'is given twice; send it once' };
  }
  const is_decimal = how.source === 'text' && field.type === 'integer' && typeof value === 'string';
  const read = is_decimal ? readDecimal(value, how.decimal) : value;
  return complaint(field, read, how.now) ?? { value: read };
}

/**
 * Compiles a reader of objects like `schema`. Fields are checked one by one in the order in which the
 * schema lists them, so that the first wrong one is named; members that it does not list are left
 * out. From `text` (query strings and paths) decimals become integers where the schema asks for one.
 *
 * With `lists_faults_of`, the name of the part that is read, all wrong fields are told, and a decimal
 * may have leading zeros; with `may_be_signed` also a minus, so that what is too small is said to be too small.
 */
export function compileInput(
  schema: TObject,
  rules: Readonly<Record<string, Rule>>,
  source: 'json' | 'text',
  {
    lists_faults_of: part,
    may_be_signed = false,
  }: { lists_faults_of?: Part; may_be_signed?: boolean } = {},
): InputReader {
  const fields = Object.entries(schema.properties).map(([name, field]) =>
    toField(name, field, schema.required ?? [], rules),
  );
  const whole = (keyword: string, message: string) =>
    new InputFault(message, part ? [{ part, field: undefined, keyword, params: {} }] : []);
  const unsigned = part ? 'whole' : 'plain';
  const decimal: Decimal = may_be_signed ? 'signed' : unsigned;
  return (given, now) => {
    if (given === undefined) throw whole('missing', 'body is empty; send a JSON object');
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      throw whole('type', 'body must be a JSON object');
    }
    const how = { source, decimal, now };
    const read: Record<string, unknown> = {};
    const faults: FieldFault[] = [];
    let first_words = '';
    for (const field of fields) {
      const found = readField(field, given as Given, how);
      if ('value' in found) {
        if (found.value !== undefined) read[field.name] = found.value;
        continue;
      }
      const { keyword, params, words } = found;
      first_words ||= `${field.name} ${words}`;
      if (!part) throw new InputFault(first_words);
      faults.push({ part, field: field.name, keyword, params });
    }
    if (faults.length > 0) throw new InputFault(first_words, faults);
    return read;
  };
}

/** Throws if `value` is not what `schema` describes: an answer of ours that its document does not promise. */
export function compileAnswerCheck(schema: TSchema, what: string): (value: unknown) => void {
  let check: ValidateFunction | undefined;
  return (value) => {
    check ??= ajv.compile(schema);
    // What is sent is JSON: members that are undefined are not in it.
    if (!check(JSON.parse(JSON.stringify(value)))) {
      throw new Error(`the answer of ${what} is not as described: ${ajv.errorsText(check.errors)}`);
    }
  };
}
