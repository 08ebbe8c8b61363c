import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type NetworkClient,
  type NetworkClientOptions,
  type NetworkCredentials,
  networkClient,
  type Received,
  RefusedError,
} from '@stoa/client';
import { type NetworkApi, networkOf, openNetworkHouse } from '../../support/network-api.ts';
import { putKeyOnCard } from '../../support/network-keys.ts';
import type { TestHouse } from '../../support/open-house.ts';
import { assertSigned, openReceiver } from '../../support/webhook-receiver.ts';

const seed_of = (digit: number) => new Uint8Array(32).fill(digit);

const clientOf = (house: TestHouse, options: Partial<NetworkClientOptions> = {}): NetworkClient =>
  networkClient({
    base_url: `${house.house.listening}/net`,
    now: () => house.clock.now(),
    ...options,
  });

/** Signs an agent up by the client, and puts the key of its seed on its card. */
async function arrive(net: NetworkApi, name: string, seed: Uint8Array) {
  const client = clientOf(net.house, { seed });
  const registered = await client.signUp({ name });
  await putKeyOnCard(net, registered, client.cardKey());
  return client;
}

async function take(received: AsyncGenerator<Received>, count: number): Promise<Received[]> {
  const taken: Received[] = [];
  for await (const item of received) if (taken.push(item) === count) break;
  return taken;
}

const texts = (received: readonly Received[]) =>
  received.map((item) =>
    item.event === 'message' ? [item.message.text, item.message.authorship] : item.event,
  );

test('two clients sign up, ask, accept, and write signed messages that each verifies by itself [NET-014] [NET-109] [NET-132]', async () => {
  await using house = await openNetworkHouse({ engine: 'sqlite' });
  const net = networkOf(house);
  const ada = await arrive(net, 'Ada', seed_of(21));
  const bob = await arrive(net, 'Bob', seed_of(22));
  assert.equal(ada.credentials()?.address, 'ada@localhost');
  assert.equal((await bob.card('ada'))?.valid, true);
  assert.equal(await bob.card('nobody'), undefined);
  const { cards } = await ada.directory({ q: 'bob' });
  assert.deepEqual(
    cards.map(({ handle }) => handle),
    ['bob'],
  );

  const hearing = take(bob.follow(), 3);
  while (house.house.deps.waiters.count() === 0) await new Promise(setImmediate);
  const asked = await ada.send({ to: 'BOB@localhost', text: 'Shall we?' });
  assert.equal(asked.status, 'request_sent');
  const { incoming } = await bob.requests();
  assert.deepEqual(
    incoming.map(({ from, authorship, message }) => [from, authorship, message.text]),
    [['ada@localhost', 'verified', 'Shall we?']],
  );
  const accepted = await bob.accept('ada');
  assert.equal(accepted?.authorship, 'verified');
  const sent = await ada.send({ to: 'bob', text: 'e\u0301 <\u2028> 😀' });
  assert.ok(sent.status === 'delivered' && sent.message.verified && sent.message.seq === null);
  const heard = await hearing;
  assert.deepEqual(texts(heard), [
    'contact_request',
    ['Shall we?', 'verified'],
    ['e\u0301 <\u2028> 😀', 'verified'],
  ]);

  const answer = await bob.send({ to: 'ada', text: 'plain', sign: false });
  assert.ok(answer.status === 'delivered');
  const page = await ada.read({ wait_s: 1 });
  assert.deepEqual(
    page.messages.map(({ text, authorship, trust }) => [text, authorship, trust]),
    [['plain', 'unsigned', 'agent, passcode']],
  );
  await ada.markRead(page.messages[0]?.id ?? '');
  const { contacts } = await ada.contacts();
  assert.deepEqual(
    contacts.map(({ handle }) => handle),
    ['bob'],
  );
  await assert.rejects(
    ada.send({ to: 'nobody', text: 'x' }),
    (error) => error instanceof RefusedError && error.code === 'unknown_recipient',
  );
  await bob.block('ada');
  const again = await ada.send({ to: 'bob', text: 'Hello?' });
  assert.equal(again.status, 'request_sent');
});

test('a client lifts a block, and ends a contact [NET-140] [NET-154]', async () => {
  await using house = await openNetworkHouse({ engine: 'sqlite' });
  const ada = clientOf(house);
  const bob = clientOf(house);
  await ada.signUp({ name: 'Ada' });
  await bob.signUp({ name: 'Bob' });
  await bob.block('ada');
  const blocks = async () => (await bob.contacts()).blocks.map(({ handle }) => handle);
  assert.deepEqual(await blocks(), ['ada']);
  assert.deepEqual([await bob.unblock('ada'), await bob.unblock('ada')], [true, false]);
  assert.deepEqual(await blocks(), []);
  await ada.send({ to: 'bob', text: 'Shall we?' });
  await bob.accept('ada');
  assert.deepEqual([await ada.removeContact('bob'), await ada.removeContact('bob')], [true, false]);
  assert.deepEqual((await bob.contacts()).contacts, []);
});

test('a client believes the card, and not what the server says of a signature [NET-109]', async () => {
  await using house = await openNetworkHouse({ engine: 'sqlite' });
  const net = networkOf(house);
  const ada = await arrive(net, 'Ada', seed_of(23));
  const bob = clientOf(house);
  const registered = await bob.signUp({ name: 'Bob' });
  await ada.send({ to: 'bob', text: 'signed' });
  const first = await bob.accept('ada');
  assert.equal(first?.authorship, 'verified');
  // The card gets another key: what the old one signed is vouched for by the server alone.
  const { handle, address, passcode } = ada.credentials() as NetworkCredentials;
  const owner = { handle, address, passcode, account: `agent:${handle}` };
  const other = clientOf(house, { seed: seed_of(24) });
  await putKeyOnCard(net, owner, other.cardKey());
  house.clock.advance(5_001);
  const [message] = (await bob.read()).messages;
  assert.deepEqual(
    [message?.verified, message?.trust, message?.authorship],
    [true, 'signed', 'unverified'],
  );
  assert.equal(registered.handle, 'bob');
});

test('a client goes on over connections that break, and over a restart of the house [NET-171]', async () => {
  await using house = await openNetworkHouse({ engine: 'sqlite' });
  let connections = 0;
  const bob = clientOf(house, {
    sleep: async () => {},
    fetch: async (url, init) => {
      // After a restart the house listens elsewhere.
      const moved = url.replace(/^http:\/\/[^/]+/, house.house.listening);
      if (url.endsWith('/stream')) connections += 1;
      return fetch(moved, init);
    },
  });
  const ada = clientOf(house);
  await ada.signUp({ name: 'Ada' });
  await bob.signUp({ name: 'Bob' });
  await ada.send({ to: 'bob', text: '1' });
  await bob.accept('ada');
  const stop = new AbortController();
  const heard: string[] = [];
  const told: string[] = [];
  const onLost = () => void told.push('lost');
  const onBack = () => void told.push('back');
  const hearing = (async () => {
    for await (const item of bob.follow({ after: 0, signal: stop.signal, onLost, onBack })) {
      if (item.event === 'message') heard.push(item.message.text);
      if (heard.length === 3) stop.abort();
    }
  })();
  while (heard.length < 1) await new Promise(setImmediate);
  await house.restart();
  const again = clientOf(house, { credentials: ada.credentials() as NetworkCredentials });
  await again.send({ to: 'bob', text: '2' });
  await again.send({ to: 'bob', text: '3' });
  await hearing;
  assert.deepEqual(heard, ['1', '2', '3']);
  assert.ok(connections >= 2);
  assert.deepEqual(told, ['lost', 'back']);
});

test('a client keeps what a sign-up gave, and sets a webhook whose calls its secret signs [NET-176] [NET-179]', async () => {
  await using receiver = await openReceiver();
  await using house = await openNetworkHouse({ engine: 'sqlite', outbound: receiver.outbound });
  const saved: NetworkCredentials[] = [];
  const bob = clientOf(house, {
    save: (credentials) => {
      saved.push(credentials);
    },
  });
  await assert.rejects(bob.me(), TypeError);
  await bob.signUp({ name: 'Bob', capabilities: ['listening'] });
  const [credentials] = saved;
  assert.ok(credentials);
  const later = clientOf(house, { credentials });
  assert.equal((await later.me()).address, credentials.address);
  assert.equal(await later.webhook(), undefined);
  const secret = await later.setWebhook(receiver.url('/client'));
  assert.equal((await later.webhook())?.url, receiver.url('/client'));
  await later.setWakeUrl(receiver.url('/wake'));
  const ada = clientOf(house);
  await ada.signUp({ name: 'Ada' });
  await ada.send({ to: 'bob', text: 'ring' });
  await later.accept('ada');
  const [call] = await receiver.calls('/client', 1);
  assert.ok(call);
  assertSigned(call, secret, house.clock.now());
  assert.equal((await receiver.calls('/wake', 1)).length, 1);
  await later.setWakeUrl(null);
  await later.removeWebhook();
  assert.equal(await later.webhook(), undefined);
  const found = await ada.find('listening');
  assert.deepEqual(
    found.matches.map(({ handle }) => handle),
    ['bob'],
  );
  await later.decline('nobody').then(
    () => assert.fail('there is no such request'),
    (error: unknown) =>
      assert.ok(error instanceof RefusedError && error.code === 'unknown_request'),
  );
});
