import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  difficultyCheck,
  leadingZeroBits,
  meetsDifficulty,
  solveProofOfWork,
} from './proof-of-work.ts';

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

const hashHex = (text: string) => createHash('sha256').update(text).digest('hex');

test('difficultyCheck says the same of a nonce whichever hash it is given', () => {
  for (let counter = 0; counter < 300; counter += 1) {
    const nonce = String(counter);
    const reached = leadingZeroBits(createHash('sha256').update(`abc:${nonce}`).digest());
    for (let bits = 0; bits <= 16; bits += 1) {
      for (const given of [{}, { hashHex }]) {
        const check = difficultyCheck({ prefix: 'abc:', bits, ...given });
        assert.equal(check(nonce), reached >= bits, `${nonce} ${bits}`);
      }
    }
  }
  const digest = '0'.repeat(16) + 'f'.repeat(48);
  assert.equal(difficultyCheck({ prefix: '', bits: 64, hashHex: () => digest })('0'), true);
  assert.throws(() => difficultyCheck({ prefix: '\ud800', bits: 1, hashHex }), TypeError);
});

test('solveProofOfWork finds the same nonce with a faster hash', () => {
  const work = { prefix: 'abc:', bits: 11 };
  assert.equal(solveProofOfWork({ ...work, hashHex }), solveProofOfWork(work));
});

test('solveProofOfWork refuses work without end or beginning', () => {
  const refused = [{ bits: -1 }, { bits: 65 }, { bits: 1.5 }, { bits: 1, start: -1 }];
  assert.notEqual(refused.length, 0);
  for (const work of refused) {
    assert.throws(() => solveProofOfWork({ prefix: 'a', ...work }), RangeError);
  }
});
