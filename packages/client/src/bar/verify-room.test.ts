import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnverifiedRoomError } from '../errors.ts';
import type { Head } from './remembered.ts';
import { clientOf, type FakeAnswer, type FakeRequest, own_id } from './testing/fake-bar.ts';
import { fakeRooms, other_seed, own_seed } from './testing/fake-room.ts';

function verifier(
  count: number,
  change: (request: FakeRequest, body: object) => unknown = () => {},
  said: { seed?: Uint8Array } = { seed: other_seed },
) {
  const bar = fakeRooms('the-bar');
  const [room] = bar.rooms;
  assert.ok(room);
  for (let index = 0; index < count; index += 1) room.say(`message ${index}`, said);
  const heads = new Map<string, Head>();
  const { client, requests } = clientOf(
    async (request): Promise<FakeAnswer> => {
      const answer = await bar.handle(request);
      if (answer instanceof Error) return answer;
      const body = structuredClone(answer.body) as object;
      return { ...answer, body: change(request, body) ?? body };
    },
    { heads },
  );
  return { room, heads, client, requests };
}

function fails(check: string) {
  return (error: unknown) => {
    assert.ok(error instanceof UnverifiedRoomError, String(error));
    assert.equal(error.check, check, error.message);
    return true;
  };
}

test('verifyRoom holds every message to the chain, from the start to the head [BAR-195]', async () => {
  const { client, room, heads } = verifier(43);
  room.say('unsigned');
  room.say('refuted', { seed: own_seed, sig_verified: null });
  const last = room.say('the last', { seed: own_seed, author: own_id });
  const head = { id: last.id, hash: last.hash };
  assert.deepEqual(await client.verifyRoom('the-bar'), {
    room: 'the-bar',
    messages: 46,
    head,
    proven: 44,
    unsigned: 1,
    keyless: 0,
    refuted: [{ id: 135, agent_id: 'ag_0000000000000142' }],
  });
  assert.deepEqual(heads.get('the-bar'), head);
  room.say('and on');
  assert.equal((await client.verifyRoom('the-bar')).messages, 47);
});

test('verifyRoom of a room in which nothing was said has no head', async () => {
  const { client, heads } = verifier(0);
  const verified = await client.verifyRoom('the-bar');
  assert.deepEqual([verified.messages, verified.head], [0, undefined]);
  assert.equal(heads.size, 0);
});

test('verifyRoom finds a message that is shown otherwise than it is chained, or not at all', async () => {
  const other = verifier(25);
  const twelfth = other.room.messages[12];
  assert.ok(twelfth);
  other.room.messages[12] = { ...twelfth, reply_to: 3 };
  await assert.rejects(other.client.verifyRoom('the-bar'), fails('signature'));
  const isPage = ({ path }: FakeRequest) => path.endsWith('/messages');
  type Page = { messages: { body: string; id: number }[] };
  const reworded = verifier(25, (request, body) => {
    const page = body as Page;
    if (isPage(request) && page.messages[3]) page.messages[3].body = 'never said';
  });
  await assert.rejects(reworded.client.verifyRoom('the-bar'), fails('hash'));
  const withheld = verifier(25, (request, body) => {
    if (isPage(request)) (body as Page).messages.splice(3, 1);
  });
  await assert.rejects(withheld.client.verifyRoom('the-bar'), fails('link'));
  const first_withheld = verifier(5, (request, body) => {
    if (isPage(request)) (body as Page).messages.splice(0, 1);
  });
  await assert.rejects(first_withheld.client.verifyRoom('the-bar'), fails('link'));
  const empty = verifier(5, (request, body) => {
    if (isPage(request)) (body as Page).messages.splice(0);
  });
  await assert.rejects(empty.client.verifyRoom('the-bar'), fails('link'));
});

test('verifyRoom finds a chain that misses its head, and one that never ends', async () => {
  type Chain = { links: unknown[]; truncated: boolean };
  const isChain = ({ path }: FakeRequest) => path.endsWith('/chain');
  const claimed = verifier(5, (request, body) =>
    request.path === '/rooms/the-bar' ? { ...body, chain_head: '1'.repeat(64) } : body,
  );
  await assert.rejects(claimed.client.verifyRoom('the-bar'), fails('head'));
  const broken = verifier(25, (request, body) => {
    if (isChain(request)) (body as Chain).links.splice(4, 1);
  });
  await assert.rejects(broken.client.verifyRoom('the-bar'), fails('link'));
  const none = verifier(5, (request, body) => {
    if (isChain(request)) (body as Chain).links = [];
  });
  await assert.rejects(none.client.verifyRoom('the-bar'), fails('head'));
  const endless = (request: FakeRequest, body: object) =>
    request.path === '/rooms/the-bar'
      ? { ...body, chain_head: '1'.repeat(64), message_count: 20 }
      : body;
  const grown = verifier(10_050, endless, {});
  await assert.rejects(grown.client.verifyRoom('the-bar'), /without end/);
});

test('verifyRoom takes what is said while it reads', async () => {
  const { client, room, requests } = verifier(12, ({ path }) => {
    if (path.endsWith('/chain') && room.messages.length < 14) room.say('meanwhile');
  });
  const verified = await client.verifyRoom('the-bar');
  assert.ok(verified.messages >= 12);
  assert.ok(requests.length < 10);
});
