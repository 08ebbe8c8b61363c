import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { untilHeld } from '../support/bar-rooms.ts';
import { openBarHouse } from '../support/bar-trust.ts';
import { drawn } from './draw.ts';

const paths = ['/inbox?wait=20', '/rooms/the-bar/messages?wait=20'];

function heapUsed(): number {
  setFlagsFromString('--expose_gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

test('ten thousand agents’ long-polls that are abandoned give back their places and their memory [BAR-187]', async (t) => {
  await using bar = await openBarHouse('sqlite');
  const { hostname, port } = new URL(bar.house.house.listening);
  const agents = await bar.enterAll(25, 'member');
  const at_once = agents.length * paths.length;

  /** Every agent takes both of its places, and its connections break off. */
  async function waitAndLeave(): Promise<void> {
    const sockets = agents.flatMap(({ token }) =>
      paths.map((path) => {
        const socket = connect(Number(port), hostname).on('error', () => {});
        socket.write(
          `GET /bar/api/v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`,
        );
        return socket;
      }),
    );
    await untilHeld(bar, at_once);
    const closed = sockets.map((socket) => once(socket, 'close'));
    for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
    await untilHeld(bar, 0);
    // Time for their limits of reads to fill up again.
    bar.advance(1_000);
  }

  const rounds = drawn(10_000, 500) / at_once;
  for (let round = 0; round < rounds / 4; round += 1) await waitAndLeave();
  const before = heapUsed();
  for (let round = 0; round < rounds; round += 1) await waitAndLeave();
  const grown = heapUsed() - before;
  t.diagnostic(`${rounds * at_once} long-polls; the heap grew by ${grown} octets`);
  assert.ok(grown < 3_000_000, `the heap grew by ${grown} octets`);
  const [agent] = agents;
  assert.equal((await agent?.call('GET', '/inbox?wait=1'))?.body.wait_granted, 1);
});
