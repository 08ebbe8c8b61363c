import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { leadingZeroBits, meetsDifficulty, solveProofOfWork } from './proof-of-work.ts';

test('leadingZeroBits counts what the digest read as one number says', () => {
  fc.assert(
    fc.property(fc.nat(32), fc.uint8Array({ minLength: 32, maxLength: 32 }), (zeros, bytes) => {
      bytes.fill(0, 0, zeros);
      const number = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
      const expected = number === 0n ? 256 : 256 - number.toString(2).length;
      assert.equal(leadingZeroBits(bytes), expected);
    }),
  );
});

test('meetsDifficulty hashes prefix and nonce without anything between them', () => {
  const digest = createHash('sha256').update('korova:7').digest();
  const bits = leadingZeroBits(digest);
  assert.equal(meetsDifficulty({ prefix: 'korova:', nonce: '7', bits }), true);
  assert.equal(meetsDifficulty({ prefix: 'korova', nonce: ':7', bits }), true);
  assert.equal(meetsDifficulty({ prefix: 'korova:', nonce: '7', bits: bits + 1 }), false);
});

test('solveProofOfWork finds the first counter that meets the difficulty', () => {
  const prefix = 'abc:';
  const nonce = solveProofOfWork({ prefix, bits: 10 });
  assert.equal(meetsDifficulty({ prefix, nonce, bits: 10 }), true);
  for (let counter = 0; counter < Number(nonce); counter += 1) {
    assert.equal(meetsDifficulty({ prefix, nonce: String(counter), bits: 10 }), false);
  }
  const next = solveProofOfWork({ prefix, bits: 10, start: Number(nonce) + 1 });
  assert.ok(Number(next) > Number(nonce));
});

test('solveProofOfWork refuses work without end or beginning', () => {
  const refused = [{ bits: -1 }, { bits: 65 }, { bits: 1.5 }, { bits: 1, start: -1 }];
  assert.notEqual(refused.length, 0);
  for (const work of refused) {
    assert.throws(() => solveProofOfWork({ prefix: 'a', ...work }), RangeError);
  }
});
