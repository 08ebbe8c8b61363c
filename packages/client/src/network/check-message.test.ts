import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { encodeBase64Url, publicKeyOf } from '@stoa/proof';
import { UnverifiedError } from '../errors.ts';
import { checkMessage } from './check-message.ts';
import { signDraft } from './sign-draft.ts';

const seed = new Uint8Array(32).fill(3);
const key = encodeBase64Url(publicKeyOf(seed));
const from = 'ada@d.example';
const draft = { to: 'Bob', text: 'e\u0301 <&> \u2028 😀' };
const as = { address: from, seed, now: 1_791_633_600_500, nonce: 'n-1' };

function received() {
  const { ts, nonce, sig } = signDraft(draft, as);
  const signed_fields = { from, to: 'bob@d.example', thread: '', text: draft.text, ts, nonce };
  return { ...signed_fields, thread: 'th_1', sig, signed_fields };
}

test('checkMessage verifies what signDraft has signed, under the key of the card alone', () => {
  const message = received();
  assert.equal(message.ts, '1791633600');
  assert.equal(checkMessage(message, key), 'verified');
  const other = encodeBase64Url(publicKeyOf(new Uint8Array(32).fill(4)));
  for (const card_key of [other, null, '', 'x'.repeat(43)]) {
    assert.equal(checkMessage(message, card_key), 'unverified');
  }
  const sig = encodeBase64Url(new Uint8Array(64));
  assert.equal(checkMessage({ ...message, sig }, key), 'unverified');
  assert.equal(checkMessage({ ...message, sig: 'no base64' }, key), 'unverified');
  assert.equal(checkMessage({ ...message, sig: null, signed_fields: null }, key), 'unsigned');
});

test('checkMessage throws when the message says something else than what was signed', () => {
  const message = received();
  for (const [field, value] of Object.entries({
    from: 'eve@d.example',
    to: 'eve@d.example',
    text: 'Pay Eve',
    ts: null,
    nonce: 'n-2',
  })) {
    assert.throws(
      () => checkMessage({ ...message, [field]: value }, key),
      (error) => error instanceof UnverifiedError && error.check === 'signed_fields',
      field,
    );
  }
  const signed_fields = { ...message.signed_fields, thread: 'th_2' };
  assert.throws(() => checkMessage({ ...message, signed_fields }, key), UnverifiedError);
});

test('checkMessage agrees with the vectors', () => {
  const path = new URL('../../../../protocol/network/vectors/ni-msg-v1.json', import.meta.url);
  const vectors = JSON.parse(readFileSync(path, 'utf8'));
  const messageOf = ({ fields, sig }: { fields: Record<string, unknown>; sig: string }) => {
    const { v: _, ...signed_fields } = fields;
    // @NOTE the vectors have the members of a message that are signed.
    return { ...signed_fields, sig, signed_fields } as Parameters<typeof checkMessage>[0];
  };
  for (const [list, expected] of [
    ['cases', 'verified'],
    ['must_not_verify', 'unverified'],
  ] as const) {
    assert.ok(vectors[list].length > 10);
    for (const vector of vectors[list]) {
      const card_key = vectors.keys[vector.key].public_key;
      assert.equal(checkMessage(messageOf(vector), card_key), expected, vector.name);
    }
  }
});
