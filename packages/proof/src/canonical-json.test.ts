import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalJson, type JsonValue } from './canonical-json.ts';

const wellFormed = fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed());
const json = fc.letrec<{ value: JsonValue; object: { [name: string]: JsonValue } }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    wellFormed,
    fc.array(tie('value'), { maxLength: 5 }),
    tie('object'),
  ),
  object: fc.dictionary(wellFormed, tie('value'), { maxKeys: 6 }),
}));

test('canonicalJson keeps every value: parsing gives it back', () => {
  fc.assert(
    fc.property(json.value, (value) => {
      // JSON itself has no -0 that survives printing; both sides go through it once.
      const expected: unknown = JSON.parse(JSON.stringify(value));
      assert.deepEqual(JSON.parse(canonicalJson(value)), expected);
    }),
  );
});

test('canonicalJson does not depend on the order in which members were set', () => {
  fc.assert(
    fc.property(json.object, (object) => {
      const reversed = Object.fromEntries(Object.entries(object).reverse());
      assert.equal(canonicalJson(reversed), canonicalJson(object));
    }),
  );
});

test('canonicalJson of its own output is the same text', () => {
  fc.assert(
    fc.property(json.value, (value) => {
      const text = canonicalJson(value);
      const parsed: JsonValue = JSON.parse(text);
      assert.equal(canonicalJson(parsed), text);
    }),
  );
});

test('canonicalJson prints the example of RFC 8785 section 3.2.2', () => {
  const value: JsonValue = JSON.parse(
    String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`,
  );
  assert.equal(
    canonicalJson(value),
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
});

test('canonicalJson sorts by UTF-16 code units, as RFC 8785 section 3.2.3 shows', () => {
  const value = {
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    '1': 'One',
    '\ud83d\ude00': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
  };
  const names = Object.values(JSON.parse(canonicalJson(value)));
  // '1' is an array index, which JavaScript moves to the front when it parses.
  assert.deepEqual(names, [
    'One',
    'Carriage Return',
    'Control',
    'Latin Small Letter O With Diaeresis',
    'Euro Sign',
    'Emoji: Grinning Face',
    'Hebrew Letter Dalet With Dagesh',
  ]);
  assert.match(canonicalJson(value), /^\{"\\r":.*,"1":/);
});

test('canonicalJson prints the numbers of RFC 8785 appendix B', () => {
  const samples: [bits: bigint, text: string][] = [
    [0x0000000000000000n, '0'],
    [0x8000000000000000n, '0'],
    [0x0000000000000001n, '5e-324'],
    [0x8000000000000001n, '-5e-324'],
    [0x7fefffffffffffffn, '1.7976931348623157e+308'],
    [0x4340000000000000n, '9007199254740992'],
    [0x4430000000000000n, '295147905179352830000'],
    [0x44b52d02c7e14af5n, '9.999999999999997e+22'],
    [0x44b52d02c7e14af6n, '1e+23'],
    [0x444b1ae4d6e2ef4en, '999999999999999700000'],
    [0x444b1ae4d6e2ef50n, '1e+21'],
    [0x3eb0c6f7a0b5ed8cn, '9.999999999999997e-7'],
    [0x3eb0c6f7a0b5ed8dn, '0.000001'],
    [0x41b3de4355555557n, '333333333.33333343'],
  ];
  assert.notEqual(samples.length, 0);
  for (const [bits, text] of samples) {
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, bits);
    assert.equal(canonicalJson(view.getFloat64(0)), text);
  }
});

test('canonicalJson refuses what JSON cannot say', () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  const sparse: unknown[] = [];
  sparse[1] = 1;
  const refused: unknown[] = [
    undefined,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1n,
    Symbol('s'),
    () => 1,
    { member: undefined },
    [undefined],
    sparse,
    new Date(0),
    new Map(),
    '\ud800',
    { '\udc00': 1 },
    ['\ude00\ud83d'],
    cycle,
  ];
  assert.notEqual(refused.length, 0);
  for (const value of refused) {
    // @NOTE the cast is the point: callers without types must be stopped as well.
    assert.throws(() => canonicalJson(value as JsonValue), TypeError);
  }
});

test('canonicalJson takes a value that stands at two places for what it is: no cycle', () => {
  const shared = { a: 1 };
  assert.equal(canonicalJson([shared, shared]), '[{"a":1},{"a":1}]');
});
