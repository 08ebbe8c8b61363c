import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { route } from '@stoa/wire';
import { Type } from 'typebox';
import { utcDate } from '../../packages/server/src/clock.ts';
import { guestbook } from '../../packages/server/src/guestbook/room.ts';
import { endpoint } from '../../packages/server/src/http/endpoint.ts';
import { openHost } from '../../packages/server/src/http/host.ts';
import type { Room } from '../../packages/server/src/room.ts';
import { keyedDigest } from '../../packages/server/src/secrets.ts';
import { forEachEngine } from '../support/engines.ts';
import { openTestHouse, type TestHouse } from '../support/open-house.ts';
import { drawn } from './draw.ts';

const day_ms = 86_400_000;

function heapUsed(): number {
  setFlagsFromString('--expose_gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

/** Resolves once `holds` answers true. */
async function becomes(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(5);
}

/** Numbers from 0 up to `end`, in lists of `length`. */
function* batches(end: number, length: number): Generator<number[]> {
  for (let from = 0; from < end; from += length) {
    yield Array.from({ length: Math.min(length, end - from) }, (_, index) => from + index);
  }
}

async function hasAddresses({ house }: TestHouse): Promise<boolean> {
  const row = await house.deps.read
    .selectFrom('guestbook_registration_count')
    .select('date')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Asks the house for its health over and over; answers a function that ends this and tells the longest wait. */
function watchAnswers(house: TestHouse): () => Promise<number> {
  let is_over = false;
  let longest_ms = 0;
  const watching = (async () => {
    while (!is_over) {
      const asked_at = performance.now();
      await (await house.fetch('/health')).text();
      longest_ms = Math.max(longest_ms, performance.now() - asked_at);
    }
  })();
  return async () => {
    is_over = true;
    await watching;
    return longest_ms;
  };
}

forEachEngine((engine) => {
  test('the counts of a million addresses are gone when their day is, and nobody waits for that', async (t) => {
    await using house = await openTestHouse({ engine });
    const { deps } = house.house;
    const addresses = drawn(1_000_000, 20_000);
    const date = utcDate(house.clock.now());
    for (const batch of batches(addresses, 1_000)) {
      const rows = batch.map((address) => ({
        date,
        address_digest: keyedDigest(deps.house_key, `address ${address}`),
        registrations: 1,
      }));
      await deps.transact(({ db }) =>
        db.insertInto('guestbook_registration_count').values(rows).execute(),
      );
    }
    assert.ok(await hasAddresses(house));
    const longestWait = watchAnswers(house);
    house.clock.advance(day_ms);
    await becomes(async () => !(await hasAddresses(house)));
    const longest_ms = await longestWait();
    t.diagnostic(`${addresses} addresses; the longest answer meanwhile took ${longest_ms | 0} ms`);
    assert.ok(longest_ms < 2_500, `an answer took ${longest_ms} ms`);
  });
});

const wait_route = route({
  method: 'GET',
  path: '/wait',
  name: 'wait',
  summary: 'Waits for what never comes',
  answers: { 200: Type.Object({}) },
  refusals: ['internal-error'],
});

/** A room whose one route waits. */
const waiting_room: Room = {
  ...guestbook,
  name: 'waiting',
  mount: '/waiting',
  migrations: [],
  open: ({ waiters }) => ({
    endpoints: [
      endpoint(wait_route, async ({ signal }) => {
        await waiters.waitFor({
          topics: ['never'],
          wait_ms: 60_000,
          signal,
          read: async () => undefined,
        });
        return { status: 200 as const, body: {} };
      }),
    ],
    pages: [],
    documents: [],
    commands: [],
    counts: async () => ({}),
  }),
};

test('ten thousand callers who connect, wait and go away leave nothing behind', async (t) => {
  await using house = await openTestHouse({ engine: 'sqlite' });
  const { deps } = house.house;
  const host = await openHost(deps, [{ room: waiting_room, open: waiting_room.open(deps) }]);
  const port = await host.listen();
  t.after(() => host.close());

  async function callAndLeave(count: number): Promise<void> {
    const sockets: Socket[] = [];
    for (let n = 0; n < count; n += 1) {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      socket.write('GET /waiting/wait HTTP/1.1\r\nHost: x\r\n\r\n');
      sockets.push(socket);
    }
    await becomes(() => deps.waiters.count() === count);
    const closed = sockets.map((socket) => once(socket, 'close'));
    for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
    await becomes(() => deps.waiters.count() === 0);
  }

  const connections = drawn(10_000, 2_000);
  const at_once = 250;
  for (let n = 0; n < connections / 4; n += at_once) await callAndLeave(at_once);
  const before = heapUsed();
  for (let n = 0; n < connections; n += at_once) await callAndLeave(at_once);
  const grown = heapUsed() - before;
  t.diagnostic(`${connections} callers; the heap grew by ${grown} octets`);
  assert.ok(grown < 3_000_000, `the heap grew by ${grown} octets`);
  const left = await new Promise((resolve) =>
    host.fastify.server.getConnections((_, count) => resolve(count)),
  );
  assert.equal(left, 0);
});
