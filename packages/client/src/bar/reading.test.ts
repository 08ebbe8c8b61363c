import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnverifiedRoomError } from '../errors.ts';
import type { BarClientOptions } from './bar-client.ts';
import type { Message } from './messages.ts';
import type { Head } from './remembered.ts';
import { clientOf, type FakeHandler, own_id, refusal } from './testing/fake-bar.ts';
import { fakeRooms, other_seed, own_seed } from './testing/fake-room.ts';

/** A bar with one room of `count` messages, a client of it, and what the client remembers. */
function reader(count: number, options: Partial<BarClientOptions> = {}) {
  const bar = fakeRooms('the-bar', 'den');
  const [room, den] = bar.rooms;
  assert.ok(room && den);
  for (let index = 0; index < count; index += 1) room.say(`message ${index}`);
  const heads = new Map<string, Head>();
  const { client, requests } = clientOf(bar.handle, { heads, ...options });
  const chains = () => requests.filter(({ path }) => path.endsWith('/chain')).length;
  return { bar, room, den, heads, client, requests, chains };
}

function placeOf({ id, hash }: Message): Head {
  return { id, hash };
}

function fails(check: string, id?: number) {
  return (error: unknown) => {
    assert.ok(error instanceof UnverifiedRoomError, String(error));
    assert.equal(error.check, check, error.message);
    if (id !== undefined) assert.equal(error.id, id);
    return true;
  };
}

/** Changes one message of a room and leaves all else as it was. */
function tamper(messages: Message[], index: number, change: Partial<Message>): void {
  const message = messages[index];
  assert.ok(message);
  messages[index] = { ...message, ...change };
}

test('readMessages gives pages that hang together, and remembers how far [BAR-193] [BAR-194]', async () => {
  const { client, room, heads, chains } = reader(7);
  const first = await client.readMessages('the-bar', { limit: 4 });
  assert.deepEqual(
    first.messages.map(({ authorship: _, ...message }) => message),
    room.messages.slice(0, 4),
  );
  assert.ok(first.messages.every(({ authorship }) => authorship === 'unsigned'));
  await client.readMessages('the-bar', { since: first.next_since, limit: 4 });
  const last = room.messages.at(-1);
  assert.ok(last);
  assert.deepEqual(heads.get('the-bar'), placeOf(last));
  assert.deepEqual(await client.headOf('the-bar'), placeOf(last));
  assert.equal(chains(), 0);
});

test('every field that is hashed is held to the hash [BAR-193]', async () => {
  const changes: [Partial<Message>, string][] = [
    [{ body: 'another' }, 'hash'],
    [{ author: { agent_id: own_id, name: 'a', state: 'member' } }, 'hash'],
    [{ created_at: '2026-09-24T12:06:32Z' }, 'hash'],
    [{ content_type: 'text/plain' }, 'hash'],
    [{ hash: '1'.repeat(64) }, 'hash'],
    [{ prev_hash: '1'.repeat(64) }, 'hash'],
    [{ id: 5 }, 'hash'],
    [{ room: 'den' }, 'room'],
  ];
  for (const [change, check] of changes) {
    const { client, room, heads } = reader(3);
    tamper(room.messages, 1, change);
    const what = JSON.stringify(change);
    await assert.rejects(client.readMessages('the-bar'), fails(check), what);
    assert.equal(heads.size, 0, what);
    const believed = await client.readMessages('the-bar', { verify: false });
    assert.ok(believed.messages.every(({ authorship }) => authorship === 'unchecked'));
  }
});

test('a message that is left out, moved or put in is found [BAR-196]', async () => {
  const without = reader(4);
  without.room.messages.splice(1, 1);
  await assert.rejects(without.client.readMessages('the-bar'), fails('link', 9));
  const headless = reader(4);
  headless.room.messages.splice(0, 1);
  await assert.rejects(headless.client.readMessages('the-bar'), fails('link', 6));
  const swapped = reader(4);
  swapped.room.messages.reverse();
  await assert.rejects(swapped.client.readMessages('the-bar'), fails('link', 12));
  const repeated = reader(2);
  const [message] = repeated.room.messages;
  assert.ok(message);
  repeated.room.messages.push(message);
  await assert.rejects(repeated.client.readMessages('the-bar'), fails('order'));
});

test('a message that was asked past is not taken', async () => {
  const { client, room } = reader(2);
  const { client: other } = clientOf(() => ({
    body: {
      room: 'the-bar',
      messages: room.messages,
      next_since: 6,
      chain_head: room.messages[1]?.hash,
      wait_granted: 0,
    },
  }));
  await assert.rejects(other.readMessages('the-bar', { since: 4 }), fails('order', 3));
  await assert.rejects(other.readMessages('den'), { name: 'UnexpectedAnswerError' });
  assert.equal((await client.readMessages('the-bar', { since: 3 })).messages.length, 1);
});

test('a history that is rewritten does not pass, however consistent it is', async () => {
  const { client, room, heads } = reader(6);
  await client.readMessages('the-bar');
  const before = heads.get('the-bar');
  tamper(room.messages, 2, { body: 'never said' });
  room.rehash(0);
  room.say('something new');
  const head_id = before?.id ?? 0;
  // From the start, from the head, from before it, and from after it.
  await assert.rejects(client.readMessages('the-bar'), fails('history', head_id));
  await assert.rejects(client.readMessages('the-bar', { since: head_id }), fails('link'));
  await assert.rejects(client.readMessages('the-bar', { since: 6 }), fails('history', head_id));
  await assert.rejects(client.readMessages('the-bar', { since: 19 }), fails('history', head_id));
  await assert.rejects(client.readInbox(), fails('history', head_id));
  await assert.rejects(client.verifyRoom('the-bar'), fails('history', head_id));
  assert.deepEqual(heads.get('the-bar'), before);
  // Another client, that has seen nothing, cannot know.
  const { client: newcomer } = clientOf(fakeRoomsHandler(room.messages));
  assert.equal((await newcomer.readMessages('the-bar')).messages.length, 7);
});

/** A bar that shows these messages as the whole of the room. */
function fakeRoomsHandler(messages: readonly Message[]): FakeHandler {
  const bar = fakeRooms('the-bar');
  bar.rooms[0]?.messages.push(...messages);
  return bar.handle;
}

test('a history that is cut off after what was seen does not pass', async () => {
  const { client, room } = reader(6);
  await client.readMessages('the-bar');
  room.messages.splice(4);
  await assert.rejects(client.readMessages('the-bar'), fails('history', 18));
  await assert.rejects(client.readMessages('the-bar', { since: 12 }), fails('history', 18));
  await assert.rejects(client.readMessages('the-bar', { since: 18 }), fails('history', 18));
  await assert.rejects(client.verifyRoom('the-bar'), fails('history', 18));
});

test('a head on which the chain does not end is found', async () => {
  const bar = fakeRooms('the-bar');
  for (const body of ['a', 'b', 'c']) bar.rooms[0]?.say(body);
  let chain_head = '1'.repeat(64);
  const { client } = clientOf(async (request) => {
    const answer = await bar.handle(request);
    const is_page = request.path.endsWith('/messages') && !(answer instanceof Error);
    return is_page ? { body: { ...Object(answer.body), chain_head } } : answer;
  });
  await assert.rejects(client.readMessages('the-bar'), fails('head', 9));
  chain_head = '0'.repeat(64);
  await assert.rejects(client.readMessages('the-bar'), fails('head', 9));
  // A head from the middle of the page is only late.
  chain_head = bar.rooms[0]?.messages[1]?.hash ?? '';
  assert.equal((await client.readMessages('the-bar')).messages.length, 3);
});

test('what was said between page and head is looked for on the chain', async () => {
  const { bar, room } = reader(3);
  const { client, requests } = clientOf((request) => {
    const answer = bar.handle(request);
    if (!request.path.endsWith('/messages') || room.messages.length > 3) return answer;
    const last = room.say('in between');
    return Promise.resolve(answer).then((page) =>
      page instanceof Error ? page : { body: { ...Object(page.body), chain_head: last.hash } },
    );
  });
  assert.equal((await client.readMessages('the-bar')).messages.length, 3);
  assert.deepEqual(
    requests.map(({ path, query }) => `${path}?${query}`),
    ['/rooms/the-bar/messages?', '/rooms/the-bar/chain?from=9'],
  );
});

test('a gap since the remembered head is bridged by the chain, page by page', async () => {
  const { client, room, heads, chains } = reader(35);
  await client.readMessages('the-bar', { limit: 2 });
  assert.equal(heads.get('the-bar')?.id, 6);
  await client.readMessages('the-bar', { since: 99 });
  assert.equal(chains(), 4);
  assert.equal(heads.get('the-bar')?.id, 105);
  const forged = reader(35);
  await forged.client.readMessages('the-bar', { limit: 2 });
  tamper(forged.room.messages, 20, { body: 'never said' });
  await assert.rejects(forged.client.readMessages('the-bar', { since: 99 }), fails('hash', 63));
  assert.equal(forged.heads.get('the-bar')?.id, 6);
  assert.equal(room.messages.length, 35);
});

test('a gap too long for one read is bridged by the next ones', async () => {
  const { client, heads, chains } = reader(230);
  await client.readMessages('the-bar', { limit: 1 });
  await client.readMessages('the-bar', { since: 687 });
  assert.equal(chains(), 10);
  assert.equal(heads.get('the-bar')?.id, 300);
  await client.readMessages('the-bar', { since: 687 });
  await client.readMessages('the-bar', { since: 687 });
  assert.equal(heads.get('the-bar')?.id, 690);
});

test('an old page is held to the head through the chain, a walk by arriving there', async () => {
  const { client, heads, chains, room } = reader(30);
  heads.set('the-bar', placeOf(room.messages.at(-1) as Message));
  for (let since = 0; since < 90; ) {
    since = (await client.readMessages('the-bar', { since, limit: 5 })).next_since;
  }
  assert.equal(chains(), 0);
  await client.readMessages('the-bar', { since: 60, limit: 2 });
  assert.equal(chains(), 1);
  await client.readMessages('the-bar', { since: 66, limit: 2 });
  assert.equal(chains(), 1);
});

test('a read that was under way while the head moved on is no fault', async () => {
  const { bar, room } = reader(3);
  const heads = new Map<string, Head>();
  const let_go = Promise.withResolvers<void>();
  const { client } = clientOf(
    async (request) => {
      const answer = await bar.handle(request);
      if (request.query.has('wait')) await let_go.promise;
      return answer;
    },
    { heads },
  );
  await client.readMessages('the-bar');
  const slow = client.readMessages('the-bar', { since: 9, wait: 20 });
  await new Promise((resolve) => setTimeout(resolve, 5));
  room.say('meanwhile');
  await client.readMessages('the-bar', { since: 9 });
  assert.equal(heads.get('the-bar')?.id, 12);
  let_go.resolve();
  assert.deepEqual((await slow).messages, []);
});

test('readInbox holds each room to its own chain, and bridges what it does not show', async () => {
  const { client, room, den, heads, chains } = reader(0);
  room.say('one');
  den.say('two');
  room.say('three');
  den.say('four', { author: own_id });
  den.say('five');
  const page = await client.readInbox();
  assert.deepEqual(
    page.messages.map(({ body }) => body),
    ['one', 'two', 'three', 'five'],
  );
  // Its own message stands between two of the den, and only the chain can say so.
  assert.equal(chains(), 1);
  assert.deepEqual([heads.get('the-bar')?.id, heads.get('den')?.id], [9, 15]);
  den.say('six');
  await client.readInbox({ since: page.next_since });
  assert.equal(chains(), 1);
  assert.equal(heads.get('den')?.id, 18);
});

test('readInbox finds what is forged, out of order or not on the chain', async () => {
  const forged = reader(2);
  tamper(forged.room.messages, 1, { body: 'never said' });
  await assert.rejects(forged.client.readInbox(), fails('hash', 6));
  const { room, client } = reader(2);
  const [first, second] = room.messages;
  const inbox =
    (messages: unknown[]): FakeHandler =>
    (request) =>
      request.path === '/inbox'
        ? { body: { messages, next_since: 6, wait_granted: 0, pending_invitations: 0 } }
        : fakeRoomsHandler(room.messages)(request);
  const reversed = clientOf(inbox([second, first]));
  await assert.rejects(reversed.client.readInbox(), fails('order', 3));
  // A message that hashes well, but hangs on another history than the room's.
  const bar = fakeRooms('the-bar');
  for (const body of ['x', 'y']) bar.rooms[0]?.say(body);
  const stray = clientOf(inbox([first, bar.rooms[0]?.messages[1]]));
  await assert.rejects(stray.client.readInbox(), fails('link', 6));
  assert.equal((await client.readInbox()).messages.length, 2);
});

test('a room whose chain is not to be seen any more ends no inbox', async () => {
  const { bar, den } = reader(0);
  den.say('one');
  den.say('two', { author: own_id });
  den.say('three');
  const { client, requests } = clientOf((request) =>
    request.path.endsWith('/chain') ? refusal(404, 'not_found') : bar.handle(request),
  );
  assert.equal((await client.readInbox()).messages.length, 2);
  assert.equal(requests.length, 2);
  assert.deepEqual(await client.headOf('den'), placeOf(den.messages[0] as Message));
});

test('who wrote a message is proven by the key of its author [BAR-210]', async () => {
  const { client, room, bar, requests } = reader(0);
  room.say('signed', { seed: other_seed });
  room.say('also signed', { seed: own_seed, author: own_id, reply_to: 3 });
  room.say('not signed');
  room.say('signed by another', { seed: own_seed, sig_verified: null });
  const stranger = 'ag_00000000000000ff';
  bar.pubkeys.set(stranger, null);
  room.say('signed without a key', { seed: own_seed, author: stranger, sig_verified: null });
  const { messages } = await client.readMessages('the-bar');
  assert.deepEqual(
    messages.map(({ authorship }) => authorship),
    ['proven', 'proven', 'unsigned', 'refuted', 'keyless'],
  );
  const asked = () => requests.filter(({ path }) => path.startsWith('/agents/')).length;
  assert.equal(asked(), 3);
  await client.readMessages('the-bar');
  assert.equal(asked(), 4, 'only for the one that may still register a key');
});

test('a signature that the server vouches for and that does not hold is its lie [BAR-204]', async () => {
  const lies: Parameters<ReturnType<typeof reader>['room']['say']>[1][] = [
    { seed: own_seed },
    { sig_verified: true, signature: 'AA==' },
    { seed: own_seed, author: 'ag_00000000000000ff' },
  ];
  for (const lie of lies) {
    const { client, room } = reader(0);
    const { id } = room.say('never said', lie);
    await assert.rejects(client.readMessages('the-bar'), fails('signature', id));
    await assert.rejects(client.readInbox(), fails('signature', id));
    await assert.rejects(client.verifyRoom('the-bar'), fails('signature', id));
  }
  // The signature covers what the hash does not: reply_to.
  const { client, room } = reader(1);
  room.say('signed', { seed: other_seed });
  tamper(room.messages, 1, { reply_to: 3 });
  await assert.rejects(client.readMessages('the-bar'), fails('signature', 6));
});

test('readChain gives links that hang together', async () => {
  const { client, room } = reader(5);
  const { links } = await client.readChain('the-bar', { from: 6 });
  assert.deepEqual(
    links.map(({ id }) => id),
    [6, 9, 12, 15],
  );
  tamper(room.messages, 3, { body: 'never said' });
  await assert.rejects(client.readChain('the-bar', { from: 6 }), fails('hash', 12));
  room.messages.splice(3, 1);
  await assert.rejects(client.readChain('the-bar', { from: 6 }), fails('link', 15));
  assert.equal((await client.readChain('the-bar', { verify: false })).links.length, 4);
});
