import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { encodeBase64, encodeBase64Url } from '../base64.ts';
import { publicKeyOf, sign, verifySignature } from '../ed25519.ts';
import { utf8Bytes } from '../utf8-bytes.ts';
import { decodeCardKey, decodeCardSignature } from './card-key.ts';
import { messageText, type SignedFields } from './message-text.ts';

type Signed = { name: string; key: string; fields: SignedFields & { v: 1 }; sig: string };
type Vectors = {
  keys: Record<string, { seed: string; public_key: string }>;
  cases: (Signed & { signing_bytes: string })[];
  must_not_verify: Signed[];
};

const folder = new URL('../../../../protocol/network/vectors/', import.meta.url);

/** Whether the signature of a vector is by its key over the text of its fields. */
function verifies({ keys }: Vectors, { key, fields, sig }: Signed): boolean {
  const decoded = decodeCardKey(keys[key]?.public_key ?? '');
  const signature = decodeCardSignature(sig);
  assert.ok('key' in decoded && signature);
  return verifySignature({ key: decoded.key, message: messageText(fields), signature });
}

for (const file of ['ni-msg-v1.json', 'ni-msg-v1-more.json']) {
  const vectors = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Vectors;

  it(`messageText gives the bytes and signatures of every case of ${file} [NET-101] [NET-102] [NET-103] [NET-104]`, () => {
    assert.ok(vectors.cases.length > 10);
    for (const vector of vectors.cases) {
      const { name, key, fields, signing_bytes, sig } = vector;
      const text = messageText(fields);
      assert.equal(encodeBase64(utf8Bytes(text)), signing_bytes, name);
      const seed = new Uint8Array(Buffer.from(vectors.keys[key]?.seed ?? '', 'hex'));
      assert.equal(encodeBase64Url(publicKeyOf(seed)), vectors.keys[key]?.public_key);
      assert.equal(encodeBase64Url(sign({ seed, message: text })), sig, name);
      assert.ok(verifies(vectors, vector), name);
    }
  });

  it(`no signature of ${file} over another form verifies [NET-104]`, () => {
    assert.ok(vectors.must_not_verify.length > 10);
    for (const vector of vectors.must_not_verify)
      assert.ok(!verifies(vectors, vector), vector.name);
  });
}

it('messageText has no text for a lone surrogate [NET-107]', () => {
  const fields = { from: 'a@d', to: 'b@d', thread: '', text: 'x', ts: '1', nonce: 'n' };
  for (const field of ['thread', 'text', 'ts', 'nonce']) {
    assert.throws(() => messageText({ ...fields, [field]: '\ud800' }), TypeError);
    assert.throws(() => messageText({ ...fields, [field]: '\ude00\ud83d' }), TypeError);
  }
});
