import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { beyond_exact } from '../read-whole-number.ts';
import { compileAnswerCheck, compileInput, InputFault } from './input.ts';

const now = 86_400_000;

function faultOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    assert.ok(error instanceof InputFault);
    return error.message;
  }
  return 'none';
}

const schema = Type.Object({
  name: Type.String({ 'x-rule': 'loud', description: 'a name in capitals' }),
  age: Type.Optional(Type.Integer({ minimum: 1, maximum: 150 })),
  tag: Type.Optional(Type.Union([Type.String({ pattern: '^#' }), Type.Null()])),
});
const rules = {
  loud: (name: string, at: number) =>
    name === name.toUpperCase() ? undefined : `is not loud at ${at}`,
};

test('compileInput reads the declared fields and leaves the others out', () => {
  const read = compileInput(schema, rules, 'json');
  const given = JSON.parse('{"more":1,"name":"ANN","__proto__":{"age":3},"constructor":2}');
  assert.deepEqual(read(given, now), { name: 'ANN' });
  assert.deepEqual(read({ name: 'ANN', age: 7, tag: null }, now), {
    name: 'ANN',
    age: 7,
    tag: null,
  });
  assert.deepEqual(
    read(Object.create({ name: 'X' }, { name: { value: 'ANN', enumerable: true } }), now),
    {
      name: 'ANN',
    },
  );
});

test('compileInput names the first wrong field, in the order of the schema, and what is wanted', () => {
  const read = compileInput(schema, rules, 'json');
  const faults: [given: unknown, says: RegExp][] = [
    [undefined, /^body is empty; send a JSON object$/],
    [null, /^body must be a JSON object$/],
    [[], /^body must be a JSON object$/],
    ['x', /^body must be a JSON object$/],
    [{}, /^name is missing; send a name in capitals$/],
    [{ age: 0 }, /^name is missing/],
    [Object.create({ name: 'ANN' }), /^name is missing/],
    [{ name: null }, /^name must not be null; send a name in capitals$/],
    [{ name: 7, age: 0 }, /^name must be a string; send a name in capitals$/],
    [{ name: 'Ann', age: 0 }, /^name is not loud at 86400000; send a name in capitals$/],
    [{ name: 'ANN', age: 0 }, /^age is too small; send an integer from 1 to 150$/],
    [{ name: 'ANN', age: '7' }, /^age must be an integer from 1 to 150$/],
    [{ name: 'ANN', age: 1.5 }, /^age must be an integer/],
    [{ name: 'ANN', tag: 'x' }, /^tag is not of the right form; send a string that matches \^#$/],
  ];
  for (const [given, says] of faults)
    assert.match(
      faultOf(() => read(given, now)),
      says,
    );
});

test('compileInput makes integers of plain decimals in text, once, and nothing of other spellings', () => {
  const query = Type.Object({ after: Type.Optional(Type.Integer({ minimum: 0 })) });
  const read = compileInput(query, {}, 'text');
  assert.deepEqual(read({}, now), {});
  assert.deepEqual(read({ after: '0', other: ['1', '2'] }, now), { after: 0 });
  assert.deepEqual(read({ after: '9007199254740991' }, now), { after: Number.MAX_SAFE_INTEGER });
  for (const after of [
    '',
    ' 1',
    '1 ',
    '+1',
    '-1',
    '-0',
    '01',
    '00',
    '1.0',
    '1e3',
    '0x1',
    '１',
    '1_0',
  ]) {
    assert.match(
      faultOf(() => read({ after }, now)),
      /^after must be an integer, 0 or more$/,
      after,
    );
  }
  assert.match(
    faultOf(() => read({ after: ['1', '1'] }, now)),
    /^after is given twice; send it once$/,
  );
  // In JSON a text is no number, however it reads.
  const read_json = compileInput(query, {}, 'json');
  assert.match(
    faultOf(() => read_json({ after: '1' }, now)),
    /^after must be an integer/,
  );
});

test('compileInput reads leading zeros where all faults are listed, and a minus where integers may be signed', () => {
  const query = Type.Object({ after: Type.Optional(Type.Integer({ minimum: 0 })) });
  const whole = compileInput(query, {}, 'text', { lists_faults_of: 'query' });
  const signed = compileInput(query, {}, 'text', { lists_faults_of: 'query', may_be_signed: true });
  for (const read of [whole, signed]) {
    assert.deepEqual(read({ after: '007' }, now), { after: 7 });
    assert.deepEqual(read({ after: '9'.repeat(400) }, now), { after: beyond_exact });
    for (const after of ['', '+1', '--1', '-', ' 1', '1.0', '1e3']) {
      assert.match(
        faultOf(() => read({ after }, now)),
        /^after must be an integer/,
      );
    }
  }
  assert.ok(Object.is(signed({ after: '-0' }, now).after, 0));
  assert.match(
    faultOf(() => signed({ after: '-1' }, now)),
    /^after is too small/,
  );
  for (const after of ['-0', '-1']) {
    assert.match(
      faultOf(() => whole({ after }, now)),
      /^after must be an integer/,
    );
  }
});

test('compileInput throws for a rule that nobody has, before any request is read', () => {
  assert.throws(() => compileInput(schema, {}, 'json'), /no rule is called loud/);
});

test('compileAnswerCheck fails an answer that is not as its document says', () => {
  const check = compileAnswerCheck(
    Type.Object({ seq: Type.Integer() }, { additionalProperties: false }),
    'GET /head',
  );
  check({ seq: 1 });
  check({ seq: 1, more: undefined });
  for (const wrong of [{ seq: '1' }, {}, { seq: 1, more: 2 }]) {
    assert.throws(() => check(wrong), /the answer of GET \/head is not as described/);
  }
});
