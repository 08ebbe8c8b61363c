import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TSchema, Type } from 'typebox';
import { compileInput, InputFault } from './input.ts';

/** What is said of `value` in a field called `x` of this schema. */
function saidOf(schema: TSchema, value: unknown): string {
  const read = compileInput(Type.Object({ x: schema }), {}, 'json');
  try {
    read(value === undefined ? {} : { x: value }, 0);
  } catch (error) {
    assert.ok(error instanceof InputFault);
    return error.message;
  }
  return 'taken';
}

const described = (description: string) => ({ description });
const Short = Type.String({ minLength: 2, maxLength: 4 });
const Nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

test('each keyword of a schema has plain words for what does not hold and for what to send', () => {
  const cases: [schema: TSchema, value: unknown, said: string][] = [
    [Type.Integer(), 'a', 'x must be an integer'],
    [Type.Integer({ minimum: 1, maximum: 5 }), 'a', 'x must be an integer from 1 to 5'],
    [Type.Integer({ minimum: 1, maximum: 5 }), 0, 'x is too small; send an integer from 1 to 5'],
    [Type.Integer({ minimum: 1, maximum: 5 }), 6, 'x is too large; send an integer from 1 to 5'],
    [Type.Integer({ minimum: 0 }), -1, 'x is too small; send an integer, 0 or more'],
    [
      Type.Integer({ minimum: 1, ...described('the seq of an entry') }),
      0,
      'x must be 1 or more; send the seq of an entry',
    ],
    [
      Type.Integer({ maximum: 50, ...described('how many') }),
      51,
      'x must be at most 50; send how many',
    ],
    [
      Type.Number({ exclusiveMinimum: 0, ...described('seconds') }),
      0,
      'x must be more than 0; send seconds',
    ],
    [Type.Integer(described('an integer of yours')), 1.5, 'x must be an integer of yours'],
    [Type.Integer(described('1 to 5')), 'a', 'x must be an integer; send 1 to 5'],
    [Short, '', 'x is empty; send a string of 2 to 4 characters'],
    [Short, 'a', 'x is too short; send a string of 2 to 4 characters'],
    [Short, 'abcde', 'x is too long; send a string of 2 to 4 characters'],
    [
      Type.String({ minLength: 12, ...described('12 to 256 characters') }),
      'a',
      'x is too short; send 12 to 256 characters',
    ],
    [
      Type.String({ maxLength: 1, ...described('a letter') }),
      'ab',
      'x must have at most 1 character; send a letter',
    ],
    [
      Type.String({ pattern: '^a$' }),
      'b',
      'x is not of the right form; send a string that matches ^a$',
    ],
    [Type.Enum(['open', 'paused']), 'Open', 'x must be open or paused'],
    [Type.Enum(['a', 'b', 'c']), 7, 'x must be a, b or c'],
    [
      Type.Enum(['a', 'b'], described('a or b, in small letters')),
      'A',
      'x must be a or b, in small letters',
    ],
    [Type.Enum(['a', 'b'], described('how it went')), 'A', 'x must be a or b'],
    [Type.Enum(['a', 'b']), undefined, 'x is missing; send a or b'],
    [Type.Union([Type.Literal('a'), Type.Literal('b')]), 'c', 'x must be a or b'],
    [Type.Literal(true, described('true, as a boolean')), 'true', 'x must be true, as a boolean'],
    [Type.Literal('yes'), 'no', 'x must be yes'],
    [Nullable(Type.Enum(['a', 'b']), 'a or b'), 'c', 'x must be a or b'],
    [Nullable(Short, '2 to 4 characters'), 'a', 'x is too short; send 2 to 4 characters'],
    [
      Nullable(Type.Integer(), 'an id, an integer'),
      'a',
      'x must be an integer; send an id, an integer',
    ],
    [Type.Unsafe({ type: ['string', 'null'] }), 5, 'x must be a string'],
    [Type.Boolean(), 'yes', 'x must be true or false'],
    [Type.Boolean(), null, 'x must not be null; send true or false'],
    [
      Type.Union([Type.Integer(), Type.Array(Type.Integer())]),
      'a',
      'x is not of a form that is taken; send a value of the documented form',
    ],
    [Type.Array(Short), 'a', 'x must be a list'],
    [
      Type.Array(Short, described('tags')),
      ['ab', 7],
      'x is wrong at [1], which must be a string; send tags',
    ],
    [
      Type.Array(Short),
      ['ab', 'a'],
      'x is wrong at [1], which is too short; send a string of 2 to 4 characters',
    ],
    [
      Type.Array(Short, { minItems: 1 }),
      [],
      'x has too few entries; send a list of 1 or more entries',
    ],
    [
      Type.Array(Short, { maxItems: 1, ...described('tags') }),
      ['ab', 'cd'],
      'x must have at most 1 entry; send tags',
    ],
    [
      Type.Array(Short, { uniqueItems: true, ...described('different tags') }),
      ['ab', 'ab'],
      'x has the same entry twice; send different tags',
    ],
    [Type.Object({ name: Short }), [], 'x must be an object'],
    [Type.Object({ name: Short }), {}, 'x has no member name; send an object'],
    [
      Type.Object({ name: Short }),
      { name: 5 },
      'x is wrong at name, which must be a string of 2 to 4 characters',
    ],
    [
      Type.Object({}, { additionalProperties: false, ...described('an empty object') }),
      { more: 1 },
      'x has a member more, which is not taken; send an empty object',
    ],
  ];
  for (const [schema, value, said] of cases) assert.equal(saidOf(schema, value), said);
});

test('a keyword that has no words of its own is refused without those of the validator', () => {
  const said = saidOf(Type.Integer({ multipleOf: 5, ...described('a multiple of five') }), 7);
  assert.equal(said, 'x is not of a form that is taken; send a multiple of five');
});
