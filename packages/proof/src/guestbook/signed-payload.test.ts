import assert from 'node:assert/strict';
import { test } from 'node:test';
import ledger from '../../../../protocol/guestbook/vectors/ledger.json' with { type: 'json' };
import { decodeBase64, encodeBase64 } from '../base64.ts';
import { decodePublicKey, decodeSignature, sign, verifySignature } from '../ed25519.ts';
import { sha256Hex } from '../sha256.ts';
import { example_key } from './example-key.ts';
import { postPayload, registrationPayload } from './signed-payload.ts';

function signedBy(seed_text: string, message: string): string {
  const seed = decodeBase64(seed_text, 32);
  assert.ok(seed);
  return encodeBase64(sign({ seed, message }));
}

function isSignedBy(public_key: string, message: string, signature_text: string): boolean {
  const decoded = decodePublicKey(public_key);
  const signature = decodeSignature(signature_text);
  assert.ok('key' in decoded && signature);
  return verifySignature({ key: decoded.key, message, signature });
}

function keyNamed(name: string) {
  const key = Object.entries(ledger.keys).find(([other]) => other === name)?.[1];
  assert.ok(key, name);
  return key;
}

test("registrationPayload reproduces the document's text and signature [BOOK-129]", () => {
  const { seed, publicKey, registration } = ledger.document;
  const payload = registrationPayload({ name: registration.name, public_key: publicKey });
  assert.equal(payload, registration.canonical);
  assert.equal(signedBy(seed, payload), registration.signature);
});

test("postPayload reproduces the document's text and signature [BOOK-130]", () => {
  const { seed, fingerprint, post } = ledger.document;
  const payload = postPayload({ agent: fingerprint, date: post.date, message: post.message });
  assert.equal(payload, post.canonical);
  assert.equal(signedBy(seed, payload), post.signature);
});

test('registrationPayload reproduces every registration of the vectors [BOOK-134]', () => {
  assert.notEqual(ledger.registrations.length, 0);
  for (const registration of ledger.registrations) {
    const { seed, publicKey } = keyNamed(registration.key);
    const payload = registrationPayload({ name: registration.name, public_key: publicKey });
    assert.equal(payload, registration.canonical);
    assert.equal(sha256Hex(payload), registration.canonicalSha256);
    assert.equal(signedBy(seed, payload), registration.signature);
    assert.ok(isSignedBy(publicKey, payload, registration.signature));
  }
});

test('postPayload reproduces every post of the vectors [BOOK-014] [BOOK-015] [BOOK-134]', () => {
  assert.notEqual(ledger.posts.length, 0);
  for (const post of ledger.posts) {
    const { seed, publicKey, fingerprint: agent } = keyNamed(post.key);
    const payload = postPayload({ agent, date: post.date, message: post.message });
    assert.equal(payload, post.canonical, post.id);
    assert.equal(sha256Hex(payload), post.canonicalSha256, post.id);
    assert.equal(signedBy(seed, payload), post.signature, post.id);
    assert.ok(isSignedBy(publicKey, payload, post.signature), post.id);
  }
});

test('the registrations of the vectors that are signed amiss do not verify [BOOK-021] [BOOK-018]', () => {
  const cases = ledger.refused.registrations.filter(({ code }) => code === 'bad-signature');
  assert.notEqual(cases.length, 0);
  for (const { id, body } of cases) {
    const public_key = String(body?.publicKey);
    const payload = registrationPayload({ name: String(body?.name), public_key });
    assert.equal(isSignedBy(public_key, payload, String(body?.signature)), false, id);
  }
});

test('the posts of the vectors that are signed amiss do not verify [BOOK-012] [BOOK-013] [BOOK-016] [BOOK-036]', () => {
  const cases = ledger.refused.posts.filter(({ code }) => code === 'bad-signature');
  assert.notEqual(cases.length, 0);
  const { publicKey, fingerprint: agent } = ledger.keys.A;
  for (const { id, body } of cases) {
    assert.equal(body?.agent, agent);
    const payload = postPayload({
      agent,
      date: String(body?.date),
      message: String(body?.message),
    });
    assert.equal(isSignedBy(publicKey, payload, String(body?.signature)), false, id);
  }
});

test('registrationPayload and postPayload refuse a lone surrogate [BOOK-069]', () => {
  assert.throws(() => registrationPayload({ name: '\ud800', public_key: '' }), TypeError);
  assert.throws(() => postPayload({ agent: '', date: '', message: '\udc00' }), TypeError);
});

test('example_key is the key of the document [BOOK-128] [BOOK-132]', () => {
  const { seed, publicKey, fingerprint } = ledger.document;
  assert.deepEqual(example_key, { seed, public_key: publicKey, fingerprint });
});
