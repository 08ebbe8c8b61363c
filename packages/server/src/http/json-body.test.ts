import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { InputFault } from './input.ts';
import { parseJsonBody } from './json-body.ts';

const octets = (text: string) => Buffer.from(text);

function faultOf(body: Buffer, nesting_max?: number): string {
  try {
    parseJsonBody(body, nesting_max);
  } catch (error) {
    assert.ok(error instanceof InputFault);
    return error.message;
  }
  return 'none';
}

test('parseJsonBody reads what JSON.parse reads, and nothing from no octets', () => {
  assert.equal(parseJsonBody(octets('')), undefined);
  assert.deepEqual(parseJsonBody(octets(' {"a":["é",null,1e3]}\r\n')), { a: ['é', null, 1_000] });
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      assert.deepEqual(parseJsonBody(octets(text)), JSON.parse(text));
    }),
  );
});

test('parseJsonBody refuses what is no UTF-8, a byte order mark, and what is no JSON', () => {
  for (const broken of ['ff', '7bff7d', 'c0af', 'eda080', 'e9', 'f4908080', '22c3']) {
    assert.match(faultOf(Buffer.from(broken, 'hex')), /^body is not UTF-8/, broken);
  }
  for (const broken of [
    '\ufeff{}',
    '{',
    '{"a":1,}',
    "{'a':1}",
    '01',
    'NaN',
    '"\n"',
    '{} x',
    '﻿{}',
  ]) {
    assert.match(faultOf(octets(broken)), /^body is not JSON/, broken);
  }
  assert.match(faultOf(Buffer.from('{}', 'utf16le')), /^body is not JSON/);
});

test('parseJsonBody holds a bound on nesting where one is given, brackets in strings aside', () => {
  const nested = (levels: number) => octets('['.repeat(levels) + ']'.repeat(levels));
  assert.equal(faultOf(nested(3), 3), 'none');
  assert.match(faultOf(nested(4), 3), /^body is nested deeper than 3 levels/);
  assert.match(faultOf(octets('{"a":[{"b":{}}]}'), 3), /^body is nested deeper/);
  assert.equal(faultOf(octets('{"a":"[[[[{{{{\\"[[[[\\\\"}'), 1), 'none');
  assert.equal(faultOf(octets('[[],[],{},{}]'), 2), 'none');
  assert.match(faultOf(octets('{"__proto__":{}}'), 3), /^body is not JSON that we read/);
  assert.equal(faultOf(octets('{"__proto__":{}}')), 'none');
});

test('parseJsonBody refuses numbers that would become 0, where it bounds the nesting, and no others', () => {
  for (const small of ['1e-400', '-2.4E-324', `0.${'0'.repeat(330)}7`, '1e-99999']) {
    for (const body of [small, `[1,{"a":${small}}]`]) {
      assert.match(
        faultOf(octets(body), 9),
        /^body holds the number .+, which would become 0; send/,
      );
      assert.equal(faultOf(octets(body)), 'none');
    }
  }
  for (const kept of [
    '5e-324',
    '1e-300',
    '0e-400',
    '-0.0E-999',
    `0.${'0'.repeat(330)}`,
    '{"a":"1e-400","1e-400":1}',
    '"\\"1e-400"',
  ]) {
    assert.equal(faultOf(octets(kept), 9), 'none', kept);
  }
});
