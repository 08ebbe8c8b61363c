import assert from 'node:assert/strict';
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { test } from 'node:test';
import { openSignatures } from './signatures.ts';

const hex = (text: string) => Buffer.from(text, 'hex');

/** RFC 8032, section 7.1. */
const vectors = [
  {
    name: 'test 1',
    public_key: hex('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'),
    message: hex(''),
    signature: hex(
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    ),
  },
  {
    name: 'test 2',
    public_key: hex('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c'),
    message: hex('72'),
    signature: hex(
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    ),
  },
  {
    name: 'test 3',
    public_key: hex('fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025'),
    message: hex('af82'),
    signature: hex(
      '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
    ),
  },
  {
    name: 'test SHA(abc)',
    public_key: hex('ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf'),
    message: createHash('sha512').update('abc').digest(),
    signature: hex(
      'dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704',
    ),
  },
];

/** The order of the group, L. */
const group_order = 2n ** 252n + 27742317777372353535851937790883648493n;

/** The signature whose S is greater by L: equal in the equation, and another text. */
function addOrder(signature: Buffer): Buffer {
  const s = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`);
  const digits = (s + group_order).toString(16).padStart(64, '0');
  return Buffer.concat([signature.subarray(0, 32), hex(digits).reverse()]);
}

/** An Ed25519 key pair whose seed is `byte` repeated. */
function keyPair(byte: number) {
  const prefix = hex('302e020100300506032b657004220420');
  const der = Buffer.concat([prefix, Buffer.alloc(32, byte)]);
  const private_key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const public_key = createPublicKey(private_key).export({ format: 'der', type: 'spki' });
  return { private_key, public_key: public_key.subarray(-32) };
}

test('verify agrees with the vectors of RFC 8032', async () => {
  const signatures = openSignatures({ keys_max: 10 });
  for (const { name, ...claim } of vectors) {
    assert.equal(await signatures.verify(claim), true, name);
    const other_message = Buffer.concat([claim.message, hex('00')]);
    assert.equal(await signatures.verify({ ...claim, message: other_message }), false, name);
    for (let index = 0; index < 64; index += 7) {
      const signature = Buffer.from(claim.signature);
      signature[index] = (signature[index] ?? 0) ^ 1;
      assert.equal(await signatures.verify({ ...claim, signature }), false, `${name}, ${index}`);
    }
  }
});

test('verify refuses a signature whose S is not below the group order', async () => {
  const signatures = openSignatures({ keys_max: 10 });
  for (const { name, ...claim } of vectors) {
    const signature = addOrder(claim.signature);
    assert.equal(await signatures.verify({ ...claim, signature }), false, name);
  }
});

test('verify refuses keys and signatures of another length', async () => {
  const signatures = openSignatures({ keys_max: 10 });
  const [claim] = vectors;
  assert.ok(claim);
  for (const length of [0, 31]) {
    const public_key = claim.public_key.subarray(0, length);
    assert.equal(await signatures.verify({ ...claim, public_key }), false);
  }
  for (const signature of [
    claim.signature.subarray(1),
    Buffer.concat([claim.signature, hex('00')]),
  ]) {
    assert.equal(await signatures.verify({ ...claim, signature }), false);
  }
  const public_key = Buffer.alloc(32, 0xff);
  assert.equal(await signatures.verify({ ...claim, public_key }), false, 'no point at all');
});

test('verify takes the UTF-8 of a text, and rejects one that has none', async () => {
  const signatures = openSignatures({ keys_max: 10 });
  const { private_key, public_key } = keyPair(7);
  const message = 'Grüße 🏛';
  const signature = sign(null, Buffer.from(message), private_key);
  assert.equal(await signatures.verify({ public_key, message, signature }), true);
  await assert.rejects(signatures.verify({ public_key, message: 'a\ud800', signature }), TypeError);
});

test('verify is right for more keys than it remembers, many at once', async () => {
  const signatures = openSignatures({ keys_max: 3 });
  const pairs = Array.from({ length: 10 }, (_, index) => keyPair(index));
  const answers = Array.from({ length: 100 }, async (_, index) => {
    const [signer, claimed] = [pairs[index % 10], pairs[(index * 3) % 10]];
    assert.ok(signer && claimed);
    const signature = sign(null, Buffer.from('x'), signer.private_key);
    const { public_key } = claimed;
    assert.equal(
      await signatures.verify({ public_key, message: 'x', signature }),
      signer === claimed,
    );
  });
  await Promise.all(answers);
});
