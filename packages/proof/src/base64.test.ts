import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeBase64, decodeBase64Url, encodeBase64, encodeBase64Url } from './base64.ts';

test('encodeBase64 agrees with an independent encoder, decodeBase64 gives the bytes back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const text = encodeBase64(bytes);
      assert.equal(text, Buffer.from(bytes).toString('base64'));
      assert.deepEqual(decodeBase64(text, bytes.length), bytes);
    }),
  );
});

test('decodeBase64 refuses every other length [BOOK-003] [BOOK-022] [BOOK-037]', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), fc.nat(70), (bytes, bytes_exact) => {
      fc.pre(bytes.length !== bytes_exact);
      assert.equal(decodeBase64(encodeBase64(bytes), bytes_exact), undefined);
    }),
  );
});

test('decodeBase64 reads only the one canonical spelling [BOOK-004]', () => {
  const key = fc.uint8Array({ minLength: 32, maxLength: 32 });
  fc.assert(
    fc.property(key, fc.nat(43), fc.string({ unit: 'binary', maxLength: 1 }), (bytes, at, put) => {
      const text = encodeBase64(bytes);
      const changed = text.slice(0, at) + put + text.slice(at + 1);
      const read = decodeBase64(changed, 32);
      assert.ok(read === undefined || encodeBase64(read) === changed);
    }),
  );
});

test('decodeBase64 refuses spellings that lenient decoders accept [BOOK-004]', () => {
  const canonical = encodeBase64(new Uint8Array(32).fill(0xfb));
  const spellings = [
    canonical.replace('=', ''),
    `${canonical}=`,
    ` ${canonical}`,
    `${canonical}\n`,
    `${canonical.slice(0, 10)} ${canonical.slice(10)}`,
    `${canonical.slice(0, 10)} ${canonical.slice(11)}`,
    canonical.replaceAll('+', '-').replaceAll('/', '_'),
    canonical.replace(/.=$/, (end) => `${end === 's=' ? 't' : 's'}=`),
  ].filter((spelling) => spelling !== canonical);
  assert.notEqual(spellings.length, 0);
  for (const spelling of spellings) assert.equal(decodeBase64(spelling, 32), undefined, spelling);
});

test('encodeBase64Url agrees with an independent encoder, and decodeBase64Url reads its spelling alone', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
      const text = encodeBase64Url(bytes);
      assert.equal(text, Buffer.from(bytes).toString('base64url'));
      assert.deepEqual(decodeBase64Url(text, bytes.length), bytes);
      assert.equal(decodeBase64Url(text, bytes.length + 1), undefined);
    }),
  );
  const canonical = encodeBase64Url(new Uint8Array(32).fill(0xfb));
  for (const spelling of [
    `${canonical}=`,
    ` ${canonical}`,
    `${canonical}\n`,
    encodeBase64(new Uint8Array(32).fill(0xfb)).replace('=', ''),
    canonical.replace(/.$/, 't'),
  ]) {
    assert.equal(decodeBase64Url(spelling, 32), undefined, spelling);
  }
});
