import assert from 'node:assert/strict';
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { test } from 'node:test';
import { ED25519_TORSION_SUBGROUP, ed25519 } from '@noble/curves/ed25519.js';
import { openSignatures } from './signatures.ts';
import { VerifyThread } from './verify-thread.ts';

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

const torsion = ED25519_TORSION_SUBGROUP.map((point) => ed25519.Point.fromHex(point));

const numberOf = (octets: Uint8Array) =>
  BigInt(`0x${Buffer.from(octets).reverse().toString('hex')}`);
const octetsOf = (number: bigint) => hex(number.toString(16).padStart(64, '0')).reverse();

/** A claim by somebody who adds a point of small order to the key, to R, or to both; and one whose R is such a point. */
function oddClaim(index: number) {
  const secret = 2n ** 200n + 12345n;
  const once = index % 3 === 0 ? 0n : 2n ** 190n + BigInt(index);
  const { BASE, ZERO } = ed25519.Point;
  const key_point = BASE.multiply(secret).add(torsion[index % 8] ?? ZERO);
  const once_point = once === 0n ? ZERO : BASE.multiply(once);
  const public_key = Buffer.from(key_point.toBytes());
  const r = Buffer.from(once_point.add(torsion[Math.floor(index / 8) % 8] ?? ZERO).toBytes());
  const message = Buffer.from(`message ${index}`);
  const digest = createHash('sha512')
    .update(Buffer.concat([r, public_key, message]))
    .digest();
  const s = (once + (numberOf(digest) % group_order) * secret) % group_order;
  return { public_key, message, signature: Buffer.concat([r, octetsOf(s)]) };
}

test('verify says the same on its own thread as OpenSSL, of points of small order too', async () => {
  const signatures = openSignatures({ keys_max: 1_000 });
  const thread = new VerifyThread();
  const claims = Array.from({ length: 640 }, (_, index) => oddClaim(index));
  const held = await Promise.all(claims.map((claim) => signatures.verify(claim)));
  const held_on_thread = await Promise.all(claims.map((claim) => thread.verify(claim)));
  const spki = hex('302a300506032b6570032100');
  for (const [index, { public_key, message, signature }] of claims.entries()) {
    const der = Buffer.concat([spki, public_key]);
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    const holds = verify(null, message, key, signature);
    assert.equal(held[index], holds, `${index}`);
    assert(holds || !held_on_thread[index], `${index}: the thread takes what OpenSSL refuses`);
  }
  assert(held.includes(true) && held.includes(false));
  await thread.close();
  await signatures.close();
});

test('the thread verifies by itself, lists of every size', async () => {
  const thread = new VerifyThread();
  const { private_key, public_key } = keyPair(9);
  for (const count of [1, 2, 64, 300]) {
    const answers = await Promise.all(
      Array.from({ length: count }, (_, index) => {
        const message = Buffer.alloc(index, 'm');
        const signature = sign(null, message, private_key);
        if (index % 5 === 4) signature[3] = (signature[3] ?? 0) ^ 1;
        return thread.verify({ public_key, message, signature });
      }),
    );
    assert.deepEqual(
      answers,
      Array.from({ length: count }, (_, index) => index % 5 !== 4),
    );
  }
  assert.equal(thread.claims_count, 0);
  await thread.close();
});

test('what a thread that ends has not answered is verified without it', async () => {
  const signatures = openSignatures({ keys_max: 10 });
  const { private_key, public_key } = keyPair(5);
  const signature = sign(null, Buffer.from('x'), private_key);
  const verifyMany = () =>
    Promise.all(
      Array.from({ length: 200 }, () => signatures.verify({ public_key, message: 'x', signature })),
    );
  const under_way = verifyMany();
  await signatures.close();
  assert((await under_way).every(Boolean));
  assert((await verifyMany()).every(Boolean), 'after its end');
});
