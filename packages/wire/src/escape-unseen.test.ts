import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeUnseen } from './escape-unseen.ts';

test('escapeUnseen writes out what cannot be seen or turns text around, and nothing else', () => {
  for (const [code, escaped] of [
    [0x1b, '\\u001b'],
    [0x7f, '\\u007f'],
    [0xad, '\\u00ad'],
    [0x61c, '\\u061c'],
    [0x200b, '\\u200b'],
    [0x200e, '\\u200e'],
    [0x200f, '\\u200f'],
    [0x2028, '\\u2028'],
    [0x202a, '\\u202a'],
    [0x202e, '\\u202e'],
    [0x2066, '\\u2066'],
    [0x2069, '\\u2069'],
    [0x3164, '\\u3164'],
    [0xfeff, '\\ufeff'],
    [0xe0041, '\\udb40\\udc41'],
  ] as const) {
    const character = String.fromCodePoint(code);
    assert.equal(escapeUnseen(`a${character}b`), `a${escaped}b`);
    const json = JSON.stringify({ text: `a${character}b` });
    assert.deepEqual(JSON.parse(escapeUnseen(json)), JSON.parse(json));
  }
  const seen = 'Zoë\n\t"é" שלום \u2764\ufe0f 😀 日本\u3000a\u00a0b';
  assert.equal(escapeUnseen(seen), seen);
});
