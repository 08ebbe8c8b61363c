import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { test } from 'node:test';
import { ED25519_TORSION_SUBGROUP, ed25519 } from '@noble/curves/ed25519.js';
import { bytesToNumberLE, concatBytes } from '@noble/curves/utils.js';
import { sha512 } from '@noble/hashes/sha2.js';
import fc from 'fast-check';
import ledger from '../../../protocol/guestbook/vectors/ledger.json' with { type: 'json' };
import { encodeBase64 } from './base64.ts';
import {
  decodePublicKey,
  decodeSignature,
  fingerprintOf,
  publicKeyOf,
  sign,
  verifySignature,
} from './ed25519.ts';

const { Point } = ed25519;
const group_order = Point.Fn.ORDER;
const field_order = Point.Fp.ORDER;
const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });

function opensslVerify(claim: { key: Uint8Array; message: Uint8Array; signature: Uint8Array }) {
  const x = Buffer.from(claim.key).toString('base64url');
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
  return verify(null, claim.message, key, claim.signature);
}

function bytesOfNumber(number: bigint): Uint8Array {
  const hex = number.toString(16).padStart(64, '0');
  return Uint8Array.from(Buffer.from(hex, 'hex').reverse());
}

function faultOf(key: Uint8Array) {
  const decoded = decodePublicKey(encodeBase64(key));
  return 'fault' in decoded ? decoded.fault : undefined;
}

test('publicKeyOf, fingerprintOf and sign reproduce RFC 8032 section 7.1, test 2', () => {
  const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));
  const seed = hex('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb');
  const key = hex('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c');
  const message = hex('72');
  const signature = hex(
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da' +
      '085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  );
  assert.deepEqual(publicKeyOf(seed), key);
  assert.deepEqual(sign({ seed, message }), signature);
  assert.equal(verifySignature({ key, message, signature }), true);
});

test('publicKeyOf and fingerprintOf reproduce every key of the vectors [BOOK-002] [BOOK-128]', () => {
  const keys = [ledger.document, ...Object.values(ledger.keys)];
  assert.notEqual(keys.length, 0);
  for (const { seed, publicKey, fingerprint } of keys) {
    const key = publicKeyOf(Uint8Array.from(Buffer.from(seed, 'base64')));
    assert.equal(encodeBase64(key), publicKey);
    assert.equal(fingerprintOf(key), fingerprint);
    assert.deepEqual(decodePublicKey(publicKey), { key });
  }
});

test('decodePublicKey refuses each of the 14 encodings of a small-order point [BOOK-006]', () => {
  const canonical = ED25519_TORSION_SUBGROUP.map((hex) => Buffer.from(hex, 'hex'));
  const sign_bit = 1n << 255n;
  const others = [
    1n | sign_bit,
    (field_order - 1n) | sign_bit,
    field_order,
    field_order | sign_bit,
    field_order + 1n,
    (field_order + 1n) | sign_bit,
  ].map(bytesOfNumber);
  const encodings = [...canonical, ...others];
  assert.equal(new Set(encodings.map(encodeBase64)).size, 14);
  for (const encoding of encodings) assert.equal(faultOf(encoding), 'small-order');
});

test('decodePublicKey refuses every y from 2^255 - 19 on, with either sign [BOOK-005]', () => {
  for (let y = field_order; y < 1n << 255n; y += 1n) {
    assert.notEqual(faultOf(bytesOfNumber(y)), undefined);
    assert.notEqual(faultOf(bytesOfNumber(y | (1n << 255n))), undefined);
  }
});

test('decodePublicKey accepts 32 random bytes exactly when y is on the curve [BOOK-005]', () => {
  // RFC 8032 section 5.1.3: x^2 = (y^2 - 1) / (d y^2 + 1) has a root, by Euler's criterion.
  const mod = (number: bigint) => ((number % field_order) + field_order) % field_order;
  const power = (base: bigint, exponent: bigint): bigint => {
    if (exponent === 0n) return 1n;
    const half = power(mod(base * base), exponent >> 1n);
    return exponent & 1n ? mod(half * base) : half;
  };
  const d = mod(-121665n * power(121666n, field_order - 2n));
  fc.assert(
    fc.property(bytes32, (key) => {
      const y = bytesToNumberLE(key) & ((1n << 255n) - 1n);
      fc.pre(y > 1n && y < field_order - 1n);
      const x_squared = mod((y * y - 1n) * power(d * y * y + 1n, field_order - 2n));
      const is_on_curve = power(x_squared, (field_order - 1n) / 2n) === 1n;
      fc.pre(!is_on_curve || !Point.fromBytes(key).isSmallOrder());
      assert.equal(faultOf(key), is_on_curve ? undefined : 'not-a-point');
    }),
  );
});

test('decodePublicKey refuses the malformed keys of the vectors [BOOK-003] [BOOK-004]', () => {
  const expected_faults = new Map([
    ['K-SMALL', 'small-order'],
    ['K-NC', 'not-a-point'],
    ['K-OFF', 'not-a-point'],
    ['K-FORM', 'not-base64'],
  ]);
  const seen = new Set<string>();
  for (const { id, body } of ledger.refused.registrations) {
    const prefix = [...expected_faults.keys()].find((start) => id.startsWith(start));
    if (prefix === undefined || typeof body?.publicKey !== 'string') continue;
    seen.add(prefix);
    assert.deepEqual(decodePublicKey(body.publicKey), { fault: expected_faults.get(prefix) }, id);
  }
  assert.deepEqual(seen, new Set(expected_faults.keys()));
});

test('decodeSignature refuses the malformed signatures of the vectors [BOOK-022] [BOOK-037]', () => {
  const signatures = [...ledger.refused.registrations, ...ledger.refused.posts]
    .filter(({ id }) => id.startsWith('RS-FORM') || id.startsWith('S-FORM'))
    .map(({ body }) => body?.signature);
  assert.notEqual(signatures.length, 0);
  for (const signature of signatures) {
    assert.ok(typeof signature === 'string');
    assert.equal(decodeSignature(signature), undefined);
  }
});

test('sign and verifySignature agree with OpenSSL, on good and on spoilt signatures', () => {
  fc.assert(
    fc.property(bytes32, fc.uint8Array(), fc.nat(63), fc.nat(255), (seed, message, at, flip) => {
      const key = publicKeyOf(seed);
      const signature = sign({ seed, message });
      assert.equal(opensslVerify({ key, message, signature }), true);
      signature[at] = (signature[at] ?? 0) ^ flip;
      const claim = { key, message, signature };
      assert.equal(verifySignature(claim), opensslVerify(claim));
      assert.equal(verifySignature(claim), flip === 0);
    }),
  );
});

test('verifySignature agrees with OpenSSL under keys with a small-order component', () => {
  // Such a key has signatures that hold with a cofactor only: here both kinds must occur.
  const torsion = Point.fromHex(ED25519_TORSION_SUBGROUP[1] ?? '');
  const seed = new Uint8Array(32).fill(7);
  const { scalar, point } = ed25519.utils.getExtendedPublicKey(seed);
  const key = point.add(torsion).toBytes();
  const outcomes = new Set<boolean>();
  for (let nonce = 1n; nonce <= 64n; nonce += 1n) {
    const message = new TextEncoder().encode(`message ${nonce}`);
    const r = Point.BASE.multiply(nonce).toBytes();
    const k = bytesToNumberLE(sha512(concatBytes(r, key, message))) % group_order;
    const s = (nonce + k * scalar) % group_order;
    const claim = { key, message, signature: concatBytes(r, bytesOfNumber(s)) };
    assert.equal(ed25519.verify(claim.signature, message, key, { zip215: false }), true);
    assert.equal(verifySignature(claim), opensslVerify(claim));
    outcomes.add(verifySignature(claim));
  }
  assert.deepEqual(outcomes, new Set([true, false]));
  assert.equal(faultOf(key), undefined);
});

test('verifySignature refuses S raised by the group order [BOOK-036]', () => {
  const seed = new Uint8Array(32).fill(9);
  const key = publicKeyOf(seed);
  const signature = sign({ seed, message: 'm' });
  const s = bytesToNumberLE(signature.subarray(32)) + group_order;
  const raised = concatBytes(signature.subarray(0, 32), bytesOfNumber(s));
  assert.equal(verifySignature({ key, message: 'm', signature }), true);
  assert.equal(verifySignature({ key, message: 'm', signature: raised }), false);
});

test('verifySignature refuses what plain verifiers accept under a small-order key [BOOK-006]', () => {
  const forgeries = ledger.refused.registrations.filter(({ id }) => id.startsWith('K-SMALL'));
  assert.equal(forgeries.length, 14);
  for (const { id, body } of forgeries) {
    const { name, publicKey } = body ?? {};
    const message = JSON.stringify({ action: 'register', name, publicKey, v: 1 });
    const key = Uint8Array.from(Buffer.from(String(publicKey), 'base64'));
    const signature = Uint8Array.from(Buffer.from(String(body?.signature), 'base64'));
    assert.equal(verifySignature({ key, message, signature }), false, id);
  }
});

test('verifySignature is false for keys and signatures of another length', () => {
  const seed = new Uint8Array(32).fill(1);
  const key = publicKeyOf(seed);
  const signature = sign({ seed, message: '' });
  assert.equal(verifySignature({ key: key.subarray(1), message: '', signature }), false);
  assert.equal(verifySignature({ key, message: '', signature: signature.subarray(1) }), false);
  const longer = concatBytes(signature, Uint8Array.of(0));
  assert.equal(verifySignature({ key, message: '', signature: longer }), false);
  assert.equal(verifySignature({ key: concatBytes(key, key), message: '', signature }), false);
});

test('sign, publicKeyOf and verifySignature throw on what they cannot take', () => {
  const seed = new Uint8Array(32);
  assert.throws(() => publicKeyOf(new Uint8Array(31)), RangeError);
  assert.throws(() => sign({ seed: new Uint8Array(33), message: '' }), RangeError);
  assert.throws(() => sign({ seed, message: '\ud800' }), TypeError);
  const claim = { key: publicKeyOf(seed), message: '\ud800', signature: new Uint8Array(64) };
  assert.throws(() => verifySignature(claim), TypeError);
});
