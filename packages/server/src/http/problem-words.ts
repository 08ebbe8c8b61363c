import type { ErrorObject } from 'ajv';
import type { TSchema } from 'typebox';

/** What the words need to know of a schema. */
type Form = {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Form[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
};

const type_words: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};

/** Names of members may be the caller's own. */
const name_length_max = 60;

/** The one form that a value has that is not null; a schema of several stays as it is. */
function withoutNull(form: Form): Form {
  const forms = form.anyOf?.filter(({ type }) => type !== 'null');
  if (forms?.length === 1 && forms[0]) {
    const { description = forms[0].description } = form;
    return { ...forms[0], ...(description === undefined ? {} : { description }) };
  }
  if (typeof form.type === 'string' || form.type === undefined) return form;
  const [type = 'null', ...more] = form.type.filter((name) => name !== 'null');
  return more.length > 0 ? form : { ...form, type };
}

/** The values that are taken, if they are few enough to be told one by one. */
function valuesOf(form: Form): readonly unknown[] | undefined {
  const values = form.enum ?? (form.const === undefined ? undefined : [form.const]);
  if (values) return values.filter((value) => value !== null);
  const each = form.anyOf?.filter(({ type }) => type !== 'null').map(valuesOf);
  return each?.every((some) => some !== undefined) ? each.flat() : undefined;
}

const listed = (values: readonly unknown[]) =>
  values
    .map(String)
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1');

function range(min: number | undefined, max: number | undefined): string {
  const is_bounded = max !== undefined && max < Number.MAX_SAFE_INTEGER;
  if (min !== undefined && is_bounded) return `${min} to ${max}`;
  if (is_bounded) return `up to ${max}`;
  return min === undefined ? '' : `${min} or more`;
}

/** What `form` asks for, where nobody has described it. */
function formWords(form: Form): string {
  const values = valuesOf(form);
  if (values) return listed(values);
  const { type, minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = form;
  const word = typeof type === 'string' ? type_words[type] : undefined;
  if (word === undefined) return 'a value of the documented form';
  const numbers = range(minimum, maximum);
  if (numbers) return /to/.test(numbers) ? `${word} from ${numbers}` : `${word}, ${numbers}`;
  const characters = range(minLength, maxLength);
  if (characters) return `${word} of ${characters} characters`;
  const entries = range(minItems, maxItems);
  if (entries) return `${word} of ${entries} entries`;
  return pattern === undefined ? word : `${word} that matches ${pattern}`;
}

/** What is to be sent for a field of this schema, as the end of a sentence that begins with "send". */
export function wantedWords(schema: TSchema): string {
  // @NOTE A schema of TypeBox is JSON Schema, whatever its type says.
  const form = withoutNull(schema as Form);
  return form.description ?? formWords(form);
}

/** Where in a field the fault is, such as `[2].name`; empty for the field itself. */
function placeWords(instance_path: string): string {
  const steps = instance_path.split('/').slice(1);
  return steps
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~').slice(0, name_length_max))
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}

/** A bound that is not kept: with its number, unless the words for what is wanted have it. */
function boundWords(limit: unknown, wanted: string, words: { short: string; whole: string }) {
  const is_told = new RegExp(`(?<!\\d)${limit}(?!\\d)`).test(wanted);
  return is_told ? words.short : words.whole;
}

const counted = (count: unknown, what: string, plural: string) =>
  `${count} ${count === 1 ? what : plural}`;

/** What does not hold, by the keyword of JSON Schema. */
function keywordWords({ keyword, params }: ErrorObject, value: unknown, wanted: string): string {
  const { limit } = params as { limit?: number };
  const bound = (short: string, whole: string) => boundWords(limit, wanted, { short, whole });
  const characters = counted(limit, 'character', 'characters');
  const entries = counted(limit, 'entry', 'entries');
  switch (keyword) {
    case 'minLength':
      if (value === '') return 'is empty';
      return bound('is too short', `must have at least ${characters}`);
    case 'maxLength':
      return bound('is too long', `must have at most ${characters}`);
    case 'minimum':
      return bound('is too small', `must be ${limit} or more`);
    case 'exclusiveMinimum':
      return bound('is too small', `must be more than ${limit}`);
    case 'maximum':
      return bound('is too large', `must be at most ${limit}`);
    case 'minItems':
      return bound('has too few entries', `must have at least ${entries}`);
    case 'maxItems':
      return bound('has too many entries', `must have at most ${entries}`);
    case 'uniqueItems':
      return 'has the same entry twice';
    case 'required':
      return `has no member ${String(params.missingProperty)}`;
    case 'additionalProperties':
      return `has a member ${String(params.additionalProperty).slice(0, name_length_max)}, which is not taken`;
    case 'pattern':
      return 'is not of the right form';
  }
  return 'is not of a form that is taken';
}

/** The fault to tell: of several forms, that of the only one which is not null, if there is one. */
function toldError(errors: readonly ErrorObject[], form: Form): ErrorObject | undefined {
  const whole = errors.at(-1);
  if (whole?.keyword !== 'anyOf' || whole.instancePath !== '') return errors[0];
  const forms = form.anyOf ?? [];
  const wanted = forms.flatMap(({ type }, at) => (type === 'null' ? [] : [`#/anyOf/${at}/`]));
  if (wanted.length > 1) return whole;
  return errors.find(({ schemaPath }) => schemaPath.startsWith(wanted[0] ?? '#')) ?? whole;
}

/** What is wrong with the part of a field that an error is about; `wanted` is asked for in any case. */
function partWords(error: ErrorObject, wanted: string | undefined, fallback?: string): string {
  const { keyword, params, parentSchema, data } = error;
  // @NOTE The part of the schema that does not hold, which a verbose validator hands over.
  const form = withoutNull((parentSchema ?? {}) as Form);
  const asked = wanted ?? form.description ?? fallback ?? formWords(form);
  const values = valuesOf(form);
  if (values) {
    // Whoever describes the values may add what they are for.
    const are_told = values.every((each) => asked.includes(String(each)));
    return `must be ${are_told ? asked : listed(values)}`;
  }
  if (keyword !== 'type') return `${keywordWords(error, data, asked)}; send ${asked}`;
  const { type } = withoutNull({ type: params.type as string | string[] });
  const word = typeof type === 'string' ? type_words[type] : undefined;
  if (word === undefined) return `is not of a form that is taken; send ${asked}`;
  // "must be an integer; send an integer" says it twice.
  return asked.startsWith(word) ? `must be ${asked}` : `must be ${word}; send ${asked}`;
}

/**
 * What is wrong with `value` and what to send in its place, as the rest of a sentence that begins with
 * the field's name. `errors` are those of a validator that is verbose; none of its words are said.
 */
export function problemWords(
  schema: TSchema,
  errors: readonly ErrorObject[],
  value: unknown,
): string {
  const wanted = wantedWords(schema);
  if (value === null) return `must not be null; send ${wanted}`;
  // @NOTE A schema of TypeBox is JSON Schema, whatever its type says.
  const error = toldError(errors, schema as Form);
  if (!error) return `is not of a form that is taken; send ${wanted}`;
  const place = placeWords(error.instancePath);
  return place === ''
    ? partWords(error, wanted)
    : `is wrong at ${place}, which ${partWords(error, undefined, (schema as Form).description)}`;
}
