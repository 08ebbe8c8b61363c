import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { forEachEngine } from '../support/engines.ts';
import { type NetworkApi, networkOf } from '../support/network-api.ts';
import { contacts, sendTo } from '../support/network-contacts.ts';
import type { TestHouse } from '../support/open-house.ts';
import { createDatabase } from '../support/postgres.ts';
import { type Server, startServer } from '../support/serve.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const config = `
[network.limits]
messages_per_minute_max = 100000
messages_per_day_max = 100000
`;
const writers = 4;
const acknowledged_min = 12;

/** A receiver on this machine, as practice mode allows, that holds its answers until it is told. */
async function openReceiver() {
  const seen: { event: string; seq: number; body: string }[] = [];
  const answered = new Map<string, number>();
  const called = new EventTarget();
  let is_holding = true;
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const event = String(request.headers['x-ni-event']);
    seen.push({ event, seq: JSON.parse(body).seq, body });
    if (!is_holding) {
      answered.set(event, (answered.get(event) ?? 0) + 1);
      response.writeHead(204).end();
    }
    called.dispatchEvent(new Event('call'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    seen,
    answered,
    answerNow() {
      is_holding = false;
    },
    async until(isSo: () => boolean) {
      while (!isSo()) await once(called, 'call');
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

// @NOTE Of a house the calls of the network need no more than where to send them.
const callsTo = ({ base }: Server): NetworkApi =>
  networkOf({
    fetch: (path: string, init?: RequestInit) => fetch(base + path, init),
  } as TestHouse);

forEachEngine((engine) => {
  test('what was acknowledged survives a kill, and its webhook is called after it, once for each event [NET-164] [NET-180]', async () => {
    await using receiver = await openReceiver();
    await using kept = new AsyncDisposableStack();
    const folder = kept.adopt(temporaryFolder(), (own) => own.remove());
    const database = engine === 'postgres' ? await createDatabase({ for_house: true }) : undefined;
    if (database) kept.defer(() => database.drop());
    const start = () =>
      startServer({
        folder: folder.path,
        config,
        flags: ['--practice', '--log-level', 'warn'],
        ...(database ? { database_url: database.url } : {}),
      });
    const server = kept.use(await start());
    const before = callsTo(server);
    const [from, to] = await contacts(before);
    const set = await before.call('POST', '/v1/net/webhook', {
      passcode: to.passcode,
      body: { url: receiver.url },
    });
    assert.equal(set.status, 201, set.text);

    const acknowledged = new Set<string>();
    let is_killed = false;
    const writing = Array.from({ length: writers }, async (_, writer) => {
      for (let n = 0; !is_killed; n += 1) {
        try {
          acknowledged.add((await sendTo(before, from, to, `${writer} ${n}`)).id);
        } catch (error) {
          if (!is_killed) throw error;
        }
      }
    });
    // One call is under way and has no answer yet; all others are only owed.
    await receiver.until(() => receiver.seen.length > 0);
    while (acknowledged.size < acknowledged_min) await new Promise(setImmediate);
    is_killed = true;
    await server.kill('SIGKILL');
    await Promise.all(writing);

    const again = kept.use(await start());
    const net = callsTo(again);
    const read = await net.call('GET', '/v1/net/messages?limit=200', { passcode: to.passcode });
    const messages: { id: string; seq: number }[] = read.body.messages;
    assert.deepEqual(
      messages.map(({ seq }) => seq),
      messages.map((_, index) => index + 1),
    );
    const stored = new Set(messages.map(({ id }) => id));
    for (const id of acknowledged) assert.ok(stored.has(id), 'it was acknowledged');

    receiver.answerNow();
    // The process that died held its jobs for a while.
    await fetch(`${again.base}/practice/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advance_seconds: 61 }),
    });
    const owed = messages.length - 1;
    await receiver.until(() => receiver.answered.size === owed);
    assert.ok([...receiver.answered.values()].every((times) => times === 1));
    // Every message has one event, whatever was called before the kill.
    const events = new Map<number, Set<string>>();
    for (const { seq, event } of receiver.seen) {
      events.set(seq, (events.get(seq) ?? new Set()).add(event));
    }
    assert.deepEqual(
      [...events.keys()].sort((a, b) => a - b),
      messages.slice(1).map(({ seq }) => seq),
    );
    assert.ok([...events.values()].every((ids) => ids.size === 1));
    const bodies = new Set(receiver.seen.map(({ body }) => body));
    assert.equal(bodies.size, owed, 'each attempt sends the same octets');
  });
});
