import assert from 'node:assert/strict';
import { it } from 'node:test';
import { encodeBase64, encodeBase64Url } from '../base64.ts';
import { publicKeyOf } from '../ed25519.ts';
import { decodeCardKey, decodeCardSignature } from './card-key.ts';

it('decodeCardKey reads base64url without padding alone, and no key that may not sign', () => {
  const key = publicKeyOf(new Uint8Array(32).fill(7));
  assert.deepEqual(decodeCardKey(encodeBase64Url(key)), { key });
  assert.deepEqual(decodeCardKey(encodeBase64(key)), { fault: 'not-base64' });
  assert.deepEqual(decodeCardKey(''), { fault: 'not-base64' });
  const one = Uint8Array.of(1, ...new Uint8Array(31));
  assert.deepEqual(decodeCardKey(encodeBase64Url(one)), { fault: 'small-order' });
  assert.deepEqual(decodeCardKey(encodeBase64Url(new Uint8Array(32).fill(0xff))), {
    fault: 'not-a-point',
  });
});

it('decodeCardSignature reads both spellings of 64 bytes, each in its strict form', () => {
  const signature = new Uint8Array(64).fill(0xfb);
  for (const text of [encodeBase64(signature), encodeBase64Url(signature)]) {
    assert.deepEqual(decodeCardSignature(text), signature);
    assert.equal(decodeCardSignature(`${text}=`), undefined);
    assert.equal(decodeCardSignature(text.slice(1)), undefined);
  }
});
