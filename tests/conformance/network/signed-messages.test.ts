import assert from 'node:assert/strict';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { verifySignature } from '@stoa/proof';
import { decodeCardKey, decodeCardSignature, messageText } from '@stoa/proof/network';
import {
  assertNo,
  type NetworkApi,
  networkOf,
  openNetworkHouse,
} from '../../support/network-api.ts';
import {
  keyOf,
  newKey,
  putKeyOnCard,
  registerKey,
  type TestKey,
} from '../../support/network-keys.ts';
import {
  befriend,
  type Mail,
  openMail,
  signedBody,
  type ToSign,
} from '../../support/network-messages.ts';
import type { TestHouse } from '../../support/open-house.ts';

type Fields = Readonly<Record<'from' | 'to' | 'thread' | 'text' | 'ts' | 'nonce', string>>;
type Vector = { name: string; key: string; fields: Fields; sig: string };
type Vectors = {
  keys: Record<'alice', { seed: string; public_key: string }>;
  cases: Vector[];
  must_not_verify: Vector[];
  refused_bodies: { name: string; body: string; status: number; error: string }[];
};

const readVectors = (file: string): Vectors =>
  JSON.parse(
    readFileSync(new URL(`../../../protocol/network/vectors/${file}`, import.meta.url), 'utf8'),
  );
const vectors = readVectors('ni-msg-v1.json');
const more = readVectors('ni-msg-v1-more.json');

const start = Date.parse('2026-10-10T12:00:00Z');
const minute_s = 60;

let house: TestHouse;
let net: NetworkApi;
let alice: Mail;
let bob: Mail;
let key: TestKey;
let nonces = 0;

before(async () => {
  const settings = { domain: 'example.org' };
  house = await openNetworkHouse({ engine: 'sqlite', start, settings });
  net = networkOf(house);
  const opened = await openMail(net, 'alice', 'bob', 'bob');
  [alice, , bob] = opened as [Mail, Mail, Mail];
  key = keyOf(new Uint8Array(Buffer.from(vectors.keys.alice.seed, 'hex')));
  await putKeyOnCard(net, alice.agent, key.key);
  await befriend(alice, bob);
});
after(() => house.close());

const pass = (seconds: number) => house.clock.advance(seconds * 1_000);
const nowText = () => new Date(house.clock.now()).toISOString();
const newNonce = () => `nonce-${++nonces}`;

/** A signed body from alice to bob-2, with what a case wants otherwise. */
const signed = (change: Partial<ToSign> = {}, by = key) =>
  signedBody(by, {
    from: alice.agent.address,
    to: bob.agent.address,
    ts: nowText(),
    nonce: newNonce(),
    ...change,
  });
const send = (body: Readonly<Record<string, unknown>>, from = alice) => from.send(bob.agent, body);
const wrongSig = (from = alice) => send({ ...signed(), text: 'another' }, from);

test('the vectors are sent, arrive as they were signed, and verify under the card of their sender [NET-100] [NET-101] [NET-104] [NET-106] [NET-109]', async () => {
  const card = (await net.call('GET', `/v1/net/cards/${alice.agent.handle}`)).body;
  const decoded = decodeCardKey(card.keys.ed25519);
  assert.ok('key' in decoded);
  const at_once = (vector: Vector) =>
    vector.key === 'alice' &&
    vector.fields.thread === '' &&
    vector.fields.from === alice.agent.address &&
    vector.fields.to === bob.agent.address &&
    Math.abs(Date.parse(vector.fields.ts) - house.clock.now()) < 1_000;
  const sendable = [...vectors.cases, ...more.cases].filter(at_once);
  assert.ok(sendable.length >= 10);
  for (const { name, fields, sig } of sendable) {
    const { thread, from: _, to, ...rest } = fields;
    const sent = await alice.send(to, { ...rest, ...(thread === '' ? {} : { thread }), sig });
    assert.equal(sent.status, 201, `${name}: ${sent.text}`);
    const arrived = (await bob.queue()).at(-1) as Record<string, unknown>;
    const { v: _v, ...six } = fields as Fields & { v: 1 };
    assert.deepEqual(arrived.signed_fields, six, name);
    assert.deepEqual(
      [arrived.signed, arrived.verified, arrived.trust, arrived.sig],
      [true, true, 'signed', sig],
    );
    assert.match(String(arrived.thread), /^th_/, 'it was filed under a thread');
    const signature = decodeCardSignature(sig);
    assert.ok(signature);
    const message = messageText(arrived.signed_fields as Fields);
    assert.ok(verifySignature({ key: decoded.key, message, signature }), name);
  }
  const plain = await send({ text: 'plain' });
  assert.deepEqual(
    [plain.body.message.signed, plain.body.message.verified, plain.body.message.trust],
    [false, false, 'agent, passcode'],
  );
});

test('a signature over any other form, or by any other key, delivers nothing [NET-104] [NET-110]', async () => {
  const delivered = (await bob.queue()).length;
  for (const { name, fields, sig } of more.must_not_verify) {
    const { from: _, to: _to, thread: _thread, ...rest } = fields;
    const refused = await send({ ...rest, sig });
    assert.equal(refused.status, 400, name);
    assertNo(refused, [400, 'bad_signature'], { reason: 'mismatch' });
  }
  pass(minute_s);
  const fields = {
    from: alice.agent.address,
    to: bob.agent.address,
    thread: '',
    text: '<\u2028\ud83d\ude00\u001f e\u0301',
    ts: nowText(),
    nonce: 'form',
  };
  const right = messageText(fields);
  const forms = [
    right.replace('<', '\\u003c'),
    right.replace('\u2028', '\\u2028'),
    right.replace('\ud83d\ude00', '\\ud83d\\ude00'),
    right.replace('\\u001f', '\\u001F'),
    right.normalize('NFC'),
    right.replaceAll(',', ', '),
    right.replace('ni-msg-v1\n', ''),
    `${right}\n`,
    right.replace('bob-2@example.org', 'bob-2'),
  ];
  for (const form of forms) {
    assert.notEqual(form, right);
    const { from: _, thread: _thread, ...rest } = fields;
    assertNo(await send({ ...rest, sig: key.sign(form) }), [400, 'bad_signature'], {
      reason: 'mismatch',
    });
  }
  assert.equal((await bob.queue()).length, delivered);
  const { from: _, ...rest } = fields;
  assert.equal((await send({ ...rest, sig: key.sign(right) })).status, 201);
  pass(minute_s);
});

test('addresses are signed in full and small, however the recipient is named [NET-105] [NET-040]', async () => {
  for (const to of ['bob-2', 'BOB-2', 'Bob-2@EXAMPLE.org']) {
    const sent = await alice.send(to, { ...signed(), to });
    assert.equal(sent.status, 201, sent.text);
    assert.equal(sent.body.message.signed_fields.to, 'bob-2@example.org');
  }
  const { to: _, ...as_written } = signed({ to: 'bob-2' });
  assertNo(await alice.send('bob-2', as_written), [400, 'bad_signature'], { reason: 'mismatch' });
});

test('the thread is signed as it is sent, and a thread that is none of the two is refused before the key [NET-106] [NET-201]', async () => {
  const { threads } = (await alice.get('/v1/net/threads')).body;
  const { id } = threads[0];
  const sent = await send(signed({ thread: id }));
  assert.deepEqual([sent.status, sent.body.message.signed_fields.thread], [201, id]);
  const { sig } = signed({ thread: '' });
  const moved = { ...signed({ thread: id }), sig };
  assertNo(await send(moved), [400, 'bad_signature'], { reason: 'mismatch' });
  const elsewhere = signed({ thread: `th_${'A'.repeat(22)}` });
  assertNo(await send({ ...elsewhere, sig }), [404, 'unknown_thread']);
  for (const none of [null, undefined, '']) {
    const { thread: _, ...rest } = signed();
    assert.equal((await send({ ...rest, thread: none })).status, 201);
  }
});

test('bodies that are no text are refused with the name of their field, before any key work [NET-107] [NET-108]', async () => {
  const { passcode } = alice.agent;
  const refuseAll = async () => {
    for (const { name, body, status, error } of vectors.refused_bodies) {
      const octets = Buffer.from(body, 'base64');
      const refused = await net.call('POST', '/v1/net/messages', { passcode, body: octets });
      assert.deepEqual([refused.status, refused.body.error], [status, error], name);
    }
  };
  for (let round = 0; round < 3; round += 1) await refuseAll();
  assert.equal((await send(signed())).status, 201, 'they do not count as bad signatures');
  pass(5);
  await whileDown(async () => {
    await refuseAll();
    assertNo(await send(signed()), [503, 'key_check_unavailable']);
    assert.equal((await send({ text: 'unsigned' })).status, 201);
  });
  assert.equal((await send(signed())).status, 201);
});

/** Takes the folder of repositories away, as a disk that does not answer. */
async function whileDown(work: () => Promise<void>): Promise<void> {
  const folder = join(house.data, 'git');
  renameSync(folder, `${folder}-aside`);
  writeFileSync(folder, 'no folder');
  try {
    await work();
  } finally {
    rmSync(folder);
    renameSync(`${folder}-aside`, folder);
  }
}

test('a key that was read more than 5 seconds ago is not used when the card cannot be read [NET-114]', async () => {
  assert.equal((await send(signed())).status, 201);
  await whileDown(async () => {
    assert.equal((await send(signed())).status, 201, 'it was read just now');
    pass(5);
    assertNo(await send(signed()), [503, 'key_check_unavailable']);
  });
});

test('while cards cannot be read requests are made and listed without them, and nobody is introduced [NET-129] [NET-209]', async () => {
  const [asker, asked] = (await openMail(net, 'Cardless', 'Patient')) as [Mail, Mail];
  await whileDown(async () => {
    pass(minute_s);
    assertNo(await asker.introduce(asked.agent), [503, 'git_unavailable']);
    assert.equal((await asker.send(asked.agent)).status, 202);
    const { incoming } = await asked.requests();
    assert.deepEqual(
      incoming.map(({ card, from }) => [card, from]),
      [[null, asker.agent.address]],
    );
  });
  const [request] = (await asked.requests()).incoming;
  assert.equal((request?.card as { valid: boolean } | undefined)?.valid, true);
});

test("a key verifies from the sender's own valid card alone, from 5 seconds after it is put there to 5 after it is removed [NET-111] [NET-112] [NET-113]", async () => {
  const [keyless] = (await openMail(net, 'Keyless')) as [Mail];
  await befriend(keyless, bob);
  const own = newKey();
  const no_key = [400, 'bad_signature'] as const;
  const by = (test_key: TestKey) =>
    send(signed({ from: keyless.agent.address }, test_key), keyless);
  assertNo(await by(own), no_key, { reason: 'no_key' });
  assertNo(await by(key), no_key, { reason: 'no_key' });
  await putKeyOnCard(net, keyless.agent, own.key);
  pass(5);
  assert.equal((await by(own)).status, 201);
  assertNo(await by(key), no_key, { reason: 'mismatch' });
  await putKeyOnCard(net, keyless.agent, null);
  pass(5);
  assertNo(await by(own), no_key, { reason: 'no_key' });
  pass(minute_s);
});

test('a key that is not the registered one, or was revoked, verifies nothing any more [NET-115] [NET-116] [NET-117]', async () => {
  const [sender] = (await openMail(net, 'Changer')) as [Mail];
  await befriend(sender, bob);
  const [first, second] = [newKey(), newKey()];
  const by = (test_key: TestKey, change: Partial<ToSign> = {}) =>
    send(signed({ from: sender.agent.address, ...change }, test_key), sender);
  await putKeyOnCard(net, sender.agent, first.key);
  assertNo(
    await send({ ...signed({ from: sender.agent.address }, first), text: 'x' }, sender),
    [400, 'bad_signature'],
    { reason: 'mismatch' },
  );
  const path = `/v1/sigil/keys/${sender.agent.handle}`;
  assert.equal((await net.call('GET', path)).body.status, 'none', 'nothing has verified yet');
  assert.equal((await by(first)).status, 201);
  assert.equal((await net.call('GET', path)).body.key, first.key);
  await putKeyOnCard(net, sender.agent, second.key);
  assertNo(await by(second), [400, 'key_revoked']);
  assert.equal((await registerKey(net, sender.agent, second)).status, 200);
  assert.equal((await by(second)).status, 201);
  await putKeyOnCard(net, sender.agent, first.key);
  assertNo(await by(first), [400, 'key_revoked']);
  await putKeyOnCard(net, sender.agent, second.key);
  await sender.post('/v1/sigil/keys/revoke', {});
  assertNo(await by(second), [400, 'key_revoked']);
  assert.equal((await sender.send(bob.agent)).status, 201, 'unsigned messages pass');
});

test('after thirty bad signatures within a minute none is looked at, and unsigned messages pass [NET-120]', async () => {
  pass(minute_s);
  for (let count = 0; count < 29; count += 1) {
    assertNo(await wrongSig(), [400, 'bad_signature'], { reason: 'mismatch' });
  }
  for (const sig of ['', 'A'.repeat(86).slice(1), '='.repeat(86), `${signed().sig}=`]) {
    assertNo(await send({ ...signed(), sig }), [400, 'invalid_sig']);
  }
  pass(20);
  assert.equal((await send(signed())).status, 201);
  assertNo(await wrongSig(), [400, 'bad_signature'], { reason: 'mismatch' });
  assertNo(await send(signed()), [429, 'rate_limited'], { retry_after: 40 });
  assertNo(await send(signed({ thread: 'th_none' })), [429, 'rate_limited'], { retry_after: 40 });
  assertNo(await send({ ...signed(), sig: 'x' }), [400, 'invalid_sig']);
  assert.equal((await send({ text: 'unsigned' })).status, 201);
  pass(40);
  assert.equal((await send(signed())).status, 201);
  pass(minute_s);
  const at_once = await Promise.all(Array.from({ length: 40 }, () => wrongSig()));
  assert.equal(at_once.filter(({ status }) => status === 400).length, 30);
  assert.equal(at_once.filter(({ status }) => status === 429).length, 10);
  pass(minute_s);
});

test('a time of ten minutes before or after passes, one second more does not [NET-121]', async () => {
  const at = (seconds: number) => new Date(house.clock.now() + seconds * 1_000).toISOString();
  for (const ts of [at(-600), at(600), String(house.clock.now() / 1_000 - 600)]) {
    const sent = await send(signed({ ts }));
    assert.deepEqual([sent.status, sent.body.message.ts], [201, ts]);
  }
  const in_paris = at(7_200).replace('Z', '+02:00');
  assert.equal((await send(signed({ ts: in_paris }))).status, 201);
  for (const ts of [at(-601), at(601), '0', String(house.clock.now())]) {
    assertNo(await send(signed({ ts })), [400, 'invalid_ts']);
  }
  const body = signed();
  for (const ts of ['', 'now', '2026-10-10T12:00:00', '2026-02-30T12:00:00Z', `${body.ts} `, 1]) {
    assertNo(await send({ ...body, ts }), [400, 'invalid_ts']);
  }
  const free = await send({ text: 'unsigned', ts: 'whenever', nonce: 'any' });
  assert.deepEqual([free.body.message.ts, free.body.message.nonce], ['whenever', 'any']);
});

test('a nonce is used once by a sender, and spent only by what was accepted [NET-122] [NET-123]', async () => {
  const nonce = '\u0000 once \ud83d\ude00';
  assertNo(await send({ ...signed({ nonce }), text: 'x' }), [400, 'bad_signature'], {
    reason: 'mismatch',
  });
  await send({ text: 'unsigned', nonce });
  assert.equal((await send(signed({ nonce }))).status, 201);
  assertNo(await send(signed({ nonce, text: 'other' })), [409, 'nonce_used']);
  const delivered = (await bob.queue()).length;
  const body = signed();
  const twice = await Promise.all(Array.from({ length: 4 }, () => send(body)));
  assert.deepEqual(twice.map(({ status }) => status).sort(), [201, 409, 409, 409]);
  assert.equal((await bob.queue()).length, delivered + 1);
  const [other] = (await openMail(net, 'Other Nonce')) as [Mail];
  const own = newKey();
  await putKeyOnCard(net, other.agent, own.key);
  const held = await send(signed({ from: other.agent.address, nonce }, own), other);
  assert.equal(held.status, 202);
  const again = signed({ from: other.agent.address, nonce }, own);
  assertNo(await send(again, other), [409, 'nonce_used']);
  await bob.answer(other.agent.handle, 'accept');
  const arrived = (await bob.queue()).at(-1) ?? {};
  assert.deepEqual(
    [arrived.trust, arrived.verified, (arrived.signed_fields as Fields).nonce],
    ['signed', true, nonce],
  );
});

test('a signature needs its time and its nonce [NET-124]', async () => {
  const { ts: _ts, ...no_ts } = signed();
  assertNo(await send(no_ts), [400, 'invalid_ts']);
  assertNo(await send({ ...no_ts, ts: null }), [400, 'invalid_ts']);
  const { nonce: _nonce, ...no_nonce } = signed();
  assertNo(await send(no_nonce), [400, 'invalid_nonce']);
  for (const nonce of ['', 'x'.repeat(129), 7]) {
    assertNo(await send({ ...signed(), nonce }), [400, 'invalid_nonce']);
  }
  assert.equal((await send(signed({ nonce: '\ud83d\ude00'.repeat(128) }))).status, 201);
});

test('who asks for signatures gets signed messages alone, from contacts and strangers alike [NET-125]', async () => {
  const [strict, stranger] = (await openMail(net, 'Strict', 'Stranger To It')) as [Mail, Mail];
  await befriend(alice, strict);
  await strict.post('/v1/net/settings', { require_signed: true });
  const required = [403, 'signature_required'] as const;
  assertNo(await alice.send(strict.agent), required);
  assertNo(await stranger.send(strict.agent), required);
  assertNo(await stranger.introduce(strict.agent), required);
  const body = signed({ to: strict.agent.address });
  assert.equal((await alice.send(strict.agent, body)).status, 201);
  assert.deepEqual((await strict.requests()).incoming, []);
});

test('the vectors and the rule are served [NET-101]', async () => {
  const served = await net.call('GET', '/examples/signing-vectors.json');
  assert.deepEqual(served.body, vectors);
});

test('with Sigil off the key on the card alone decides [NET-119]', async () => {
  await using open = await openNetworkHouse({ engine: 'sqlite', settings: { sigil: false } });
  const own_net = networkOf(open);
  const [one, other] = (await openMail(own_net, 'One', 'Other')) as [Mail, Mail];
  await befriend(one, other);
  for (const own of [newKey(), newKey()]) {
    await putKeyOnCard(own_net, one.agent, own.key);
    const ts = new Date(open.clock.now()).toISOString();
    const sides = { from: one.agent.address, to: other.agent.address };
    const sent = await one.send(other.agent, signedBody(own, { ...sides, ts, nonce: own.key }));
    assert.equal(sent.status, 201, sent.text);
  }
});
