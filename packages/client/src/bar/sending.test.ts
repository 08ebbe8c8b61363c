import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeBase64 } from '@stoa/proof';
import vectors from '../../../../protocol/bar/vectors/messages.json' with { type: 'json' };
import { UnverifiedRoomError } from '../errors.ts';
import { dmSlug } from './compose-message.ts';
import type { Message } from './messages.ts';
import type { Head } from './remembered.ts';
import { clientOf, type FakeHandler, other_id, own_id } from './testing/fake-bar.ts';
import { fakeRooms, own_seed } from './testing/fake-room.ts';

/** A bar that posts what it is sent, in the room of the path or the one between the two agents. */
function posting(change: (message: Message) => Message = (message) => message) {
  const dm = dmSlug(own_id, other_id);
  const bar = fakeRooms('the-bar', dm);
  const handle: FakeHandler = async (request) => {
    const { method, path, body } = request;
    if (method !== 'POST') return bar.handle(request);
    const room = bar.rooms.find(({ slug }) => slug === (path.includes('/dm') ? dm : 'the-bar'));
    assert.ok(room);
    const { body: text, ...rest } = Object(body);
    const message = change(room.say(text, { ...rest, author: own_id }));
    if (!path.endsWith('/dm')) return { status: 201, body: message };
    const read = await bar.handle({ ...request, method: 'GET', path: `/rooms/${dm}` });
    assert.ok(!(read instanceof Error));
    const { joined: _, members: __, ...shown } = Object(read.body);
    return { status: 201, body: { room: { ...shown, visibility: 'dm' }, message } };
  };
  return { bar, handle };
}

test('post signs as the vectors do, over the text that it sends [BAR-204] [BAR-209]', async () => {
  let checked = 0;
  for (const { message } of vectors.chain) {
    if (message.signature === null) continue;
    const seed = vectors.agents.find(({ agent_id }) => agent_id === message.author.agent_id)?.seed;
    const { client, requests } = clientOf(posting().handle, {
      seed: decodeBase64(seed ?? '', 32) ?? new Uint8Array(),
    });
    const { body, content_type, reply_to, signature } = message as Message;
    const options = reply_to === null ? {} : { reply_to };
    await client.post('the-bar', body, { content_type, ...options });
    assert.deepEqual(requests[0]?.body, { body, content_type, reply_to, signature });
    checked += 1;
  }
  assert.ok(checked >= 4);
});

test('a value that is no text travels as its JSON text', async () => {
  const { client, requests } = clientOf(posting().handle);
  await client.post('the-bar', { b: 1, a: ['é', null] });
  const sent = { content_type: 'application/json', reply_to: null, signature: null };
  assert.deepEqual(requests[0]?.body, { body: '{"b":1,"a":["é",null]}', ...sent });
  const message = await client.post('the-bar', 'text');
  assert.equal(message.content_type, 'text/markdown');
});

test('signing can be insisted on and left out', async () => {
  const poor = clientOf(posting().handle);
  await assert.rejects(poor.client.post('the-bar', 'a', { sign: true }), TypeError);
  assert.equal(poor.requests.length, 0);
  const rich = clientOf(posting().handle, { seed: own_seed });
  assert.equal((await rich.client.post('the-bar', 'a', { sign: false })).signature, null);
  assert.notEqual((await rich.client.post('the-bar', 'a', { sign: true })).signature, null);
});

test('dm signs for the room between the two, whoever comes first [BAR-215]', async () => {
  const { client } = clientOf(posting().handle, { seed: own_seed });
  const { room, message } = await client.dm(other_id, 'hello');
  assert.equal(room.slug, 'dm~ag_00000000000000a1~ag_0000000000000142');
  assert.equal(dmSlug(other_id, own_id), room.slug);
  const { messages } = await client.readMessages(room.slug);
  assert.deepEqual(messages, [{ ...message, sig_verified: null, authorship: 'proven' }]);
});

test('retract posts what takes a message back [BAR-237]', async () => {
  const { client, requests } = clientOf(posting().handle);
  await client.retract('the-bar', 1043, { reason: 'Wrong figures.' });
  await client.retract('the-bar', 1044);
  assert.deepEqual(
    requests
      .map(({ body }) => Object(body))
      .map(({ body, content_type }) => ({ body, content_type })),
    [{ body: '{"retracts":1043,"reason":"Wrong figures."}' }, { body: '{"retracts":1044}' }].map(
      (sent) => ({ ...sent, content_type: 'application/x-korova-retract' }),
    ),
  );
});

test('a message that is posted otherwise than it was sent does not pass', async () => {
  const changes: [Partial<Message>, check: string][] = [
    [{ body: 'another' }, 'sent'],
    [{ room: 'den' }, 'sent'],
    [{ content_type: 'text/plain' }, 'sent'],
    [{ reply_to: 3 }, 'sent'],
    [{ signature: null }, 'sent'],
    [{ author: { agent_id: other_id, name: 'a', state: 'member' } }, 'sent'],
    [{ hash: '1'.repeat(64) }, 'hash'],
  ];
  for (const [change, check] of changes) {
    const { handle } = posting((message) => ({ ...message, ...change }));
    const { client } = clientOf(handle, { seed: own_seed });
    await assert.rejects(client.post('the-bar', 'text'), (error) => {
      assert.ok(error instanceof UnverifiedRoomError);
      assert.equal(error.check, check);
      return true;
    });
    const { client: trusting } = clientOf(handle, { seed: own_seed, verify: false });
    assert.ok(await trusting.post('the-bar', 'text'));
  }
});

test('a post that follows on what was seen moves the head on, and no other does', async () => {
  const { bar, handle } = posting();
  const heads = new Map<string, Head>();
  const { client, requests } = clientOf(handle, { heads });
  await client.post('the-bar', 'one');
  await client.post('the-bar', 'two');
  assert.equal(heads.get('the-bar')?.id, 6);
  bar.rooms[0]?.say('of another');
  await client.post('the-bar', 'three');
  assert.equal(heads.get('the-bar')?.id, 6);
  await client.readInbox();
  await client.readMessages('the-bar', { since: 6 });
  assert.equal(heads.get('the-bar')?.id, 12);
  assert.ok(requests.every(({ path }) => !path.endsWith('/chain')));
});
