import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { hsalsa, xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import { ed25519, x25519 } from '@noble/curves/ed25519.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { encodeBase64, utf8Bytes } from '@stoa/proof';
import { decryptMessage, encryptMessage } from './envelope.ts';
import { makeRoomKey, type RoomKey } from './room-key.ts';
import { isSealedRoomKey, openRoomKey, sealRoomKey } from './sealed-key.ts';
import { UndecipherableError } from './undecipherable-error.ts';

type Vectors = {
  agents: {
    name: string;
    seed: string;
    pubkey: string;
    x25519_secret: string;
    x25519_public: string;
  }[];
  sealed_keys: {
    room: string;
    key_id: string;
    key: string;
    recipient: string;
    ephemeral_secret: string;
    body: string;
  }[];
  messages: {
    room: string;
    key_id: string;
    key: string;
    nonce: string;
    plain: { content_type: string; body: string };
    body: string;
  }[];
  unreadable: {
    what: string;
    room: string;
    body: string;
    keys: { room: string; key_id: string; key: string }[];
    reason: string;
  }[];
};

const file = new URL('../../../../../protocol/bar/vectors/e2e.json', import.meta.url);
const vectors: Vectors = JSON.parse(readFileSync(file, 'utf8'));
const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'));
const keyOf = ({ room, key_id, key }: { room: string; key_id: string; key: string }): RoomKey => ({
  room,
  key_id,
  key: bytesOf(key),
});
const seedOf = (name: string) =>
  bytesOf(vectors.agents.find((agent) => agent.name === name)?.seed ?? '');

/** What libsodium calls crypto_box_beforenm, by another hand. */
function boxKey(secret: Uint8Array, public_key: Uint8Array): Uint8Array {
  const words = (bytes: Uint8Array) => new Uint32Array(new Uint8Array(bytes).buffer);
  const out = new Uint32Array(8);
  const sigma = words(utf8Bytes('expand 32-byte k'));
  hsalsa(sigma, words(x25519.getSharedSecret(secret, public_key)), new Uint32Array(4), out);
  return new Uint8Array(out.buffer);
}

const sealNonce = (ephemeral: Uint8Array, recipient: Uint8Array) =>
  blake2b(Buffer.concat([ephemeral, recipient]), { dkLen: 24 });

/** crypto_box_seal, with a given ephemeral key. */
function seal(plain: Uint8Array, pubkey: Uint8Array, ephemeral_secret: Uint8Array): Uint8Array {
  const recipient = ed25519.utils.toMontgomery(pubkey);
  const ephemeral = x25519.getPublicKey(ephemeral_secret);
  const nonce = sealNonce(ephemeral, recipient);
  const box = xsalsa20poly1305(boxKey(ephemeral_secret, recipient), nonce).encrypt(plain);
  return new Uint8Array(Buffer.concat([ephemeral, box]));
}

/** crypto_box_seal_open. */
function unseal(sealed: Uint8Array, seed: Uint8Array): Uint8Array {
  const secret = ed25519.utils.toMontgomerySecret(seed);
  const recipient = x25519.getPublicKey(secret);
  const ephemeral = sealed.subarray(0, 32);
  const nonce = sealNonce(ephemeral, recipient);
  return xsalsa20poly1305(boxKey(secret, ephemeral), nonce).decrypt(sealed.subarray(32));
}

test('the vectors of keys and sealed keys are what another implementation makes [BAR-236]', () => {
  for (const { seed, pubkey, x25519_secret, x25519_public } of vectors.agents) {
    assert.equal(encodeBase64(ed25519.getPublicKey(bytesOf(seed))), pubkey);
    const secret = ed25519.utils.toMontgomerySecret(bytesOf(seed));
    assert.equal(encodeBase64(secret), x25519_secret);
    assert.equal(encodeBase64(x25519.getPublicKey(secret)), x25519_public);
    assert.equal(encodeBase64(ed25519.utils.toMontgomery(bytesOf(pubkey))), x25519_public);
  }
  assert.ok(vectors.sealed_keys.length >= 3);
  for (const { room, key_id, key, recipient, ephemeral_secret, body } of vectors.sealed_keys) {
    const pubkey = ed25519.getPublicKey(seedOf(recipient));
    const sealed = encodeBase64(seal(bytesOf(key), pubkey, bytesOf(ephemeral_secret)));
    assert.equal(JSON.stringify({ type: 'korova-e2e-key-v1', room, key_id, sealed }), body);
  }
});

test('openRoomKey opens the sealed keys of the vectors, each for its recipient alone [BAR-236]', async () => {
  for (const sealed of vectors.sealed_keys) {
    assert.ok(isSealedRoomKey(sealed.body));
    assert.deepEqual(await openRoomKey(sealed.body, seedOf(sealed.recipient)), keyOf(sealed));
    const other = vectors.agents.find(({ name }) => name !== sealed.recipient);
    await assert.rejects(openRoomKey(sealed.body, seedOf(other?.name ?? '')), { reason: 'key' });
  }
});

test('another implementation opens what sealRoomKey seals [BAR-236]', async () => {
  const room_key = await makeRoomKey('citation-checkers');
  assert.match(room_key.key_id, /^[0-9a-f]{8}$/);
  assert.equal(room_key.key.length, 32);
  assert.notDeepEqual(await makeRoomKey('citation-checkers'), room_key);
  for (const { name, pubkey } of vectors.agents) {
    const body = await sealRoomKey(room_key, pubkey);
    const { type, room, key_id, sealed, ...rest } = JSON.parse(body);
    const { room: expected, key_id: id } = room_key;
    assert.deepEqual(
      { type, room, key_id, rest },
      { type: 'korova-e2e-key-v1', room: expected, key_id: id, rest: {} },
    );
    assert.deepEqual(unseal(bytesOf(sealed), seedOf(name)), room_key.key);
    assert.deepEqual(await openRoomKey(body, seedOf(name)), room_key);
    assert.notEqual(await sealRoomKey(room_key, pubkey), body);
  }
});

test('sealRoomKey refuses what is no key that may sign', async () => {
  const room_key = await makeRoomKey('den');
  const small_order = encodeBase64(Uint8Array.of(1, ...new Uint8Array(31)));
  for (const pubkey of ['', 'AA==', small_order, encodeBase64(new Uint8Array(32).fill(255))]) {
    await assert.rejects(sealRoomKey(room_key, pubkey), TypeError);
  }
});

test('openRoomKey refuses what brings no key', async () => {
  const [vector] = vectors.sealed_keys;
  assert.ok(vector);
  const seed = seedOf(vector.recipient);
  const sealed = JSON.parse(vector.body);
  const pubkey = ed25519.getPublicKey(seed);
  const short = encodeBase64(seal(new Uint8Array(31), pubkey, new Uint8Array(32).fill(3)));
  const bodies: [body: string, reason: string][] = [
    ['', 'form'],
    ['[]', 'form'],
    ['null', 'form'],
    ['"text"', 'form'],
    [JSON.stringify({ ...sealed, type: 'korova-e2e-key-v2' }), 'form'],
    [JSON.stringify({ ...sealed, sealed: 7 }), 'form'],
    [JSON.stringify({ ...sealed, sealed: '' }), 'form'],
    [JSON.stringify({ ...sealed, sealed: `${sealed.sealed} ` }), 'form'],
    [JSON.stringify({ ...sealed, room: undefined }), 'form'],
    [JSON.stringify({ ...sealed, key_id: 7 }), 'form'],
    [JSON.stringify({ ...sealed, sealed: short }), 'form'],
    [JSON.stringify({ ...sealed, sealed: encodeBase64(new Uint8Array(80)) }), 'key'],
    [JSON.stringify({ ...sealed, sealed: encodeBase64(new Uint8Array(8)) }), 'key'],
  ];
  for (const [body, reason] of bodies) {
    await assert.rejects(openRoomKey(body, seed), { name: 'UndecipherableError', reason }, body);
  }
  assert.ok(!isSealedRoomKey('{"type":"another"}') && !isSealedRoomKey('no JSON'));
});

test('the vectors of messages are what another implementation makes [BAR-236]', async () => {
  assert.ok(vectors.messages.length >= 4);
  for (const { room, key_id, key, nonce, plain, body } of vectors.messages) {
    const cipher = xchacha20poly1305(bytesOf(key), bytesOf(nonce), utf8Bytes(room));
    const ct = encodeBase64(cipher.encrypt(utf8Bytes(JSON.stringify(plain))));
    const envelope = JSON.stringify({ v: 1, alg: 'xchacha20poly1305-ietf', key_id, nonce, ct });
    assert.equal(encodeBase64(utf8Bytes(envelope)), body);
    const room_key = keyOf({ room, key_id, key });
    assert.equal(await encryptMessage(room_key, plain, bytesOf(nonce)), body);
    assert.deepEqual(await decryptMessage({ room, body }, [room_key]), plain);
  }
});

test('another implementation reads what encryptMessage writes, and writes what decryptMessage reads [BAR-236]', async () => {
  const room_key = await makeRoomKey('citation-checkers');
  const plain = { content_type: 'text/markdown', body: 'naïve “quotes” 🥛 \u2028\r\n\u0000' };
  const body = await encryptMessage(room_key, plain);
  assert.notEqual(await encryptMessage(room_key, plain), body, 'a nonce is drawn each time');
  const envelope = JSON.parse(Buffer.from(body, 'base64').toString());
  const aad = utf8Bytes(room_key.room);
  const cipher = xchacha20poly1305(room_key.key, bytesOf(envelope.nonce), aad);
  const decrypted = cipher.decrypt(bytesOf(envelope.ct));
  assert.deepEqual(JSON.parse(Buffer.from(decrypted).toString()), plain);

  const nonce = new Uint8Array(24).fill(7);
  const by_hand = {
    ct: encodeBase64(
      xchacha20poly1305(room_key.key, nonce, aad).encrypt(
        utf8Bytes(`{ "body": "b", "more": 1, "content_type": "text/plain" }`),
      ),
    ),
    nonce: encodeBase64(nonce),
    key_id: room_key.key_id,
    alg: 'xchacha20poly1305-ietf',
    v: 1,
  };
  const foreign = encodeBase64(utf8Bytes(JSON.stringify(by_hand, null, 1)));
  const read = await decryptMessage({ room: room_key.room, body: foreign }, [room_key]);
  assert.deepEqual(read, { content_type: 'text/plain', body: 'b' });
});

test('decryptMessage says why it cannot read a message [BAR-236]', async () => {
  assert.ok(vectors.unreadable.length >= 10);
  for (const { what, room, body, keys, reason } of vectors.unreadable) {
    await assert.rejects(
      decryptMessage({ room, body }, keys.map(keyOf)),
      (error) => {
        assert.ok(error instanceof UndecipherableError, what);
        assert.equal(error.reason, reason, what);
        return true;
      },
      what,
    );
  }
});

test('decryptMessage tries every key of the name, for names may be the same', async () => {
  const right = await makeRoomKey('den');
  const wrong = { ...(await makeRoomKey('den')), key_id: right.key_id };
  const elsewhere = { ...right, room: 'parlour' };
  const plain = { content_type: 'text/plain', body: 'secret' };
  const message = { room: 'den', body: await encryptMessage(right, plain) };
  assert.deepEqual(await decryptMessage(message, [elsewhere, wrong, right]), plain);
  await assert.rejects(decryptMessage(message, [elsewhere, wrong]), { reason: 'tampered' });
});

test('encryptMessage refuses a text that no room may hold', async () => {
  const room_key = await makeRoomKey('den');
  const lone = { content_type: 'text/plain', body: '\ud800' };
  await assert.rejects(encryptMessage(room_key, lone), TypeError);
});
