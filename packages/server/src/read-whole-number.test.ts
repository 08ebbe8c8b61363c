import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beyond_exact, readWholeNumber } from './read-whole-number.ts';

test('readWholeNumber reads decimal digits, each number as itself or as beyond all that are exact', () => {
  for (const [text, number] of [
    ['0', 0],
    ['7', 7],
    ['0007', 7],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['9007199254740992', beyond_exact],
    ['9007199254740993', beyond_exact],
    ['18446744073709551616', beyond_exact],
    ['9'.repeat(400), beyond_exact],
    [`${'0'.repeat(400)}7`, 7],
  ] as const) {
    assert.ok(Object.is(readWholeNumber(text), number), text);
  }
  assert.equal(Number.isSafeInteger(beyond_exact), false);
});

test('readWholeNumber reads nothing else', () => {
  const others = [
    '',
    ' 1',
    '1 ',
    '1\n',
    '+1',
    '-1',
    '-0',
    '1.0',
    '1e3',
    '0x1',
    '１',
    '1_0',
    '٣',
    '∞',
  ];
  for (const text of others) assert.equal(readWholeNumber(text), undefined, JSON.stringify(text));
});
