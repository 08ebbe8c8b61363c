import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  clientOf,
  type FakeAnswer,
  type FakeHandler,
  own_id,
  refusal,
} from './testing/fake-bar.ts';
import { fakeRooms } from './testing/fake-room.ts';

const lost = () => new TypeError('fetch failed');

/** A bar in whose inbox and room the same things are said; `faults` come before the answers. */
function talking(count: number, faults: FakeAnswer[] = []) {
  const bar = fakeRooms('the-bar');
  const [room] = bar.rooms;
  assert.ok(room);
  for (let index = 0; index < count; index += 1) room.say(`message ${index}`);
  const handle: FakeHandler = (request) => faults.shift() ?? bar.handle(request);
  return { room, handle };
}

async function take<Item>(items: AsyncGenerator<Item>, count: number): Promise<Item[]> {
  const taken: Item[] = [];
  for await (const item of items) if (taken.push(item) === count) break;
  return taken;
}

const ids = (messages: { id: number }[]) => messages.map(({ id }) => id);

test('watch gives each message once and in order, over pages and as they come [BAR-190]', async () => {
  const { room, handle } = talking(450);
  const { client, requests } = clientOf(handle);
  const watching = client.watch();
  const first = await take(watching, 1);
  assert.deepEqual(ids(first), [3]);
  const all = await take(client.watch({ since: 3 }), 449);
  assert.deepEqual(ids(all), ids(room.messages.slice(1)));
  assert.deepEqual(
    requests.map(({ query }) => String(query)),
    ['since=0', 'since=3', 'since=603', 'since=1203'].map((since) => `${since}&limit=200&wait=20`),
  );
});

test('watch reads on from the last message that it gave, whatever goes wrong in between', async () => {
  const html: FakeAnswer = { status: 502, body: '<html>' };
  const faults = [
    lost(),
    html,
    refusal(500, 'internal'),
    refusal(429, 'rate_limited', { retry_after: 9_999 }),
  ];
  const { room, handle } = talking(3, faults);
  const { client, requests, pauses_ms } = clientOf(handle);
  const watching = client.watch();
  for (const expected of room.messages) {
    const { value } = await watching.next();
    assert.equal(value?.id, expected.id);
  }
  assert.deepEqual(pauses_ms, [1_000, 2_000, 4_000, 8_000]);
  assert.equal(requests.length, 5);
  faults.push(lost());
  const { id } = room.say('after the fault');
  assert.equal((await watching.next()).value?.id, id);
  assert.deepEqual(pauses_ms.slice(4), [1_000]);
  assert.equal(requests.at(-1)?.query.get('since'), '9');
});

test('watch waits no longer than half a minute, and spreads its pauses', async () => {
  const { handle } = talking(1, Array.from({ length: 9 }, lost));
  const { client, pauses_ms } = clientOf(handle, { random: () => 0 });
  await take(client.watch(), 1);
  assert.deepEqual(pauses_ms, [500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000, 15_000]);
});

test('watch pauses a second when no wait was granted, and not when one was [BAR-186]', async () => {
  const bar = talking(0);
  let asked = 0;
  const { client, pauses_ms } = clientOf((request) => {
    asked += 1;
    if (asked === 6) bar.room.say('at last');
    if (asked >= 4) request.query.delete('wait');
    return bar.handle(request);
  });
  await take(client.watch(), 1);
  assert.deepEqual(pauses_ms, [1_000, 1_000]);
});

test('watch ends when it is told to, in the middle of a wait and of a page', async () => {
  const { handle } = talking(2);
  const enough = new AbortController();
  const { client } = clientOf(async (request) => {
    if (request.query.get('since') !== '0') await new Promise(() => {});
    return handle(request);
  });
  const seen: number[] = [];
  for await (const { id } of client.watch({ signal: enough.signal })) {
    seen.push(id);
    if (seen.length === 2) setTimeout(() => enough.abort());
  }
  assert.deepEqual(seen, [3, 6]);
  const at_once = new AbortController();
  for await (const { id } of client.watch({ signal: at_once.signal })) {
    seen.push(id);
    at_once.abort();
  }
  assert.deepEqual(seen, [3, 6, 3]);
});

test('watch passes on what waiting does not mend', async () => {
  const refused = clientOf(() => refusal(403, 'forbidden'));
  await assert.rejects(refused.client.watch().next(), { status: 403 });
  const strange = clientOf(() => ({ body: { messages: 1 } }));
  await assert.rejects(strange.client.watch().next(), { name: 'UnexpectedAnswerError' });
  const { room, handle } = talking(2);
  room.messages.reverse();
  const { client } = clientOf(handle);
  await assert.rejects(client.watchRoom('the-bar').next(), { name: 'UnverifiedError' });
  const repeating = clientOf(() => ({
    body: { messages: room.messages, next_since: 3, wait_granted: 0, pending_invitations: 0 },
  }));
  await assert.rejects(repeating.client.watch({ since: 9 }).next(), { check: 'order' });
});

test('watch tells of invitations that wait', async () => {
  const told: number[] = [];
  const { handle } = talking(1);
  const { client } = clientOf(async (request) => {
    const answer = await handle(request);
    assert.ok(!(answer instanceof Error));
    return { body: { ...Object(answer.body), pending_invitations: 2 } };
  });
  await take(client.watch({ invited: (pending) => void told.push(pending) }), 1);
  assert.deepEqual(told, [2]);
});

test('watchRoom gives one room, with what the agent says itself', async () => {
  const { room, handle } = talking(2);
  room.say('mine', { author: own_id });
  const { client } = clientOf(handle);
  assert.deepEqual(ids(await take(client.watchRoom('the-bar', { since: 3 }), 2)), [6, 9]);
});
