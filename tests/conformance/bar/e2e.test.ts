import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type BarClient,
  type BarCredentials,
  barClient,
  decryptMessage,
  isSealedRoomKey,
  type RoomKey,
} from '@stoa/client';
import { encodeBase64, publicKeyOf } from '@stoa/proof';
import { type BarHouse, openBarHouse } from '../../support/bar-trust.ts';
import { forOneEngine } from '../../support/engines.ts';

type Member = BarClient & { credentials: BarCredentials };

/** A trusted agent with a key of its own; without one if `seed_byte` is left out. */
async function enter(bar: BarHouse, name: string, seed_byte?: number): Promise<Member> {
  const seed = seed_byte === undefined ? undefined : new Uint8Array(32).fill(seed_byte);
  const pubkey = seed === undefined ? null : encodeBase64(publicKeyOf(seed));
  const { agent_id, key, token } = await bar.enter(name, 'trusted', { pubkey });
  const client = barClient({
    base_url: `${bar.house.house.listening}/bar`,
    answer: async () => '',
    credentials: { agent_id, key, session_token: token },
    ...(seed === undefined ? {} : { seed }),
  });
  assert.ok(client.credentials);
  // @NOTE just looked at: they are there, and stay.
  return client as Member;
}

/** Brings members into a private room of the first. */
async function gather(slug: string, [owner, ...others]: Member[]): Promise<void> {
  await owner?.createRoom({ slug, visibility: 'private' });
  for (const other of others) {
    await owner?.inviteAgent(slug, other.credentials.agent_id);
    await other.joinRoom(slug);
  }
}

/** The room keys that an agent finds in its inbox. */
async function keysOf(member: Member): Promise<RoomKey[]> {
  const { messages } = await member.readInbox({ limit: 200 });
  const sealed = messages.filter(({ body }) => isSealedRoomKey(body));
  return Promise.all(sealed.map((message) => member.openRoomKey(message)));
}

forOneEngine((engine) => {
  test('a room is encrypted from end to end, and its key rotated when a member leaves [BAR-236] [BAR-235] [BAR-234]', async () => {
    await using bar = await openBarHouse(engine);
    const [ada, bob, eve] = [
      await enter(bar, 'ada', 21),
      await enter(bar, 'bob', 22),
      await enter(bar, 'eve', 23),
    ];
    const keyless = await enter(bar, 'keyless');
    const blocker = await enter(bar, 'blocker', 24);
    await gather('den', [ada, bob, eve, keyless, blocker]);
    await blocker.blockAgent(ada.credentials.agent_id);

    const first = await ada.rotateRoomKey('den');
    const idOf = ({ credentials }: Member) => credentials.agent_id;
    assert.deepEqual(first.delivered, [idOf(bob), idOf(eve)]);
    assert.deepEqual(first.keyless, [idOf(keyless)]);
    assert.deepEqual(
      first.refused.map(({ agent_id, refusal }) => [agent_id, refusal.code]),
      [[idOf(blocker), 'blocked']],
    );
    const plain = { content_type: 'text/markdown', body: 'The third source is made up. \u{1f95b}' };
    const posted = await ada.postEncrypted(first.room_key, plain);
    assert.equal(posted.content_type, 'application/x-korova-e2e');
    assert.doesNotMatch(JSON.stringify(posted), /third source/);
    assert.deepEqual(await keysOf(bob), [first.room_key]);
    assert.deepEqual(await keysOf(eve), [first.room_key]);
    const { messages } = await bob.readMessages('den');
    const [secret] = messages;
    assert.ok(secret);
    // Chain and signature cover the ciphertext.
    assert.equal(secret.authorship, 'proven');
    assert.deepEqual(await decryptMessage(secret, await keysOf(bob)), plain);

    await eve.leaveRoom('den');
    const second = await ada.rotateRoomKey('den');
    assert.deepEqual(second.delivered, [idOf(bob)]);
    assert.notEqual(second.room_key.key_id, first.room_key.key_id);
    const reply = await bob.postEncrypted(second.room_key, { ...plain, body: 'Without Eve.' });
    const keys = await keysOf(bob);
    assert.deepEqual(keys, [first.room_key, second.room_key]);
    assert.equal((await decryptMessage(reply, keys)).body, 'Without Eve.');
    await assert.rejects(decryptMessage(reply, await keysOf(eve)), { reason: 'key' });
    assert.deepEqual(await decryptMessage(secret, keys), plain, 'the old key reads what is old');
    assert.equal((await ada.verifyRoom('den')).proven, 2);
  });

  test('two agents encrypt between themselves, and a key that is not signed for does not count', async () => {
    await using bar = await openBarHouse(engine);
    const [ada, bob] = [await enter(bar, 'ada', 21), await enter(bar, 'bob', 22)];
    const { room } = await ada.dm(bob.credentials.agent_id, 'May I?');
    const { room_key, delivered } = await ada.rotateRoomKey(room.slug);
    assert.deepEqual(delivered, [bob.credentials.agent_id]);
    const [found] = await keysOf(bob);
    assert.deepEqual(found, room_key);
    const message = await bob.postEncrypted(room_key, { content_type: 'text/plain', body: 'Yes.' });
    assert.equal((await decryptMessage(message, [room_key])).body, 'Yes.');

    const { messages } = await bob.readInbox();
    const sealed = messages.find(({ body }) => isSealedRoomKey(body));
    assert.ok(sealed);
    await ada.dm(bob.credentials.agent_id, sealed.body, {
      content_type: 'application/json',
      sign: false,
    });
    const unsigned = (await bob.readInbox()).messages.at(-1);
    assert.ok(unsigned);
    await assert.rejects(bob.openRoomKey(unsigned), { name: 'UndecipherableError' });
    await assert.rejects(ada.openRoomKey(sealed), { reason: 'key' });
    const stranger = await enter(bar, 'stranger');
    await assert.rejects(stranger.openRoomKey(sealed), TypeError);
    await assert.rejects(stranger.rotateRoomKey('the-bar'), TypeError);
  });
});
