import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { sha256, sha256Hex } from './sha256.ts';

test('sha256Hex of "abc" is the example of FIPS 180-4', () => {
  assert.equal(
    sha256Hex('abc'),
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});

test('sha256 agrees with an independent implementation, for bytes and for text', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      assert.equal(sha256Hex(bytes), createHash('sha256').update(bytes).digest('hex'));
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      fc.pre(text.isWellFormed());
      const expected = createHash('sha256').update(text, 'utf8').digest();
      assert.deepEqual(Buffer.from(sha256(text)), expected);
    }),
  );
});

test('sha256 refuses a lone surrogate, which UTF-8 cannot say [BOOK-069]', () => {
  assert.throws(() => sha256('a\ud800'), TypeError);
  assert.throws(() => sha256Hex('\ude00\ud83d'), TypeError);
});
