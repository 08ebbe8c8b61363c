import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { forEachEngine } from '../../support/engines.ts';
import { type EventStream, openEventStream } from '../../support/event-stream.ts';
import {
  type Agent,
  assertNo,
  type NetworkApi,
  networkOf,
  openNetworkHouse,
} from '../../support/network-api.ts';
import { contacts, sendTo } from '../../support/network-contacts.ts';
import { newKey, putKeyOnCard, signInBy } from '../../support/network-keys.ts';
import type { TestHouse } from '../../support/open-house.ts';

/** Fewer than may be open at once: one that was left is noticed a little later. */
const readers = 4;
const reconnects = { sqlite: 400, postgres: 80 };

forEachEngine((engine) => {
  describe('the stream', () => {
    let house: TestHouse;
    let net: NetworkApi;

    before(async () => {
      house = await openNetworkHouse({
        engine,
        limits: { messages_per_minute_max: 100_000, messages_per_day_max: 100_000 },
      });
      net = networkOf(house);
    });
    after(() => house.close());

    const open = (
      agent: Agent,
      { query = '', ...headers }: Record<string, string> & { query?: string } = {},
    ) =>
      openEventStream(house, `/net/v1/net/stream${query}`, {
        'x-inbox-passcode': agent.passcode,
        ...headers,
      });
    const waiting = () => house.house.deps.waiters.count();
    const until = async (isSo: () => boolean) => {
      while (!isSo()) await new Promise(setImmediate);
    };
    /** What a stream says first: after which seq it starts. */
    const ready = async (stream: EventStream) => {
      assert.deepEqual(await stream.next(), { retry: '2000' });
      const first = await stream.next();
      assert.equal(first?.event, 'ready');
      assert.equal(first?.id, undefined);
      return first?.data;
    };

    test('starts at the end and sends what is delivered, as a poll shows it [NET-170] [NET-172] [NET-162]', async () => {
      const [from, to] = await contacts(net);
      const stream = await open(to);
      assert.equal(stream.status, 200);
      assert.equal(stream.headers.get('content-type'), 'text/event-stream');
      assert.equal(stream.headers.get('cache-control'), 'no-store');
      assert.deepEqual(await ready(stream), { after: 1, pending_requests: 0 });
      await sendTo(net, from, to, 'line\nfeed \u2028 \u0000 and "quotes"');
      const event = await stream.next();
      const { body } = await net.call('GET', '/v1/net/messages?after=1', {
        passcode: to.passcode,
      });
      assert.deepEqual(event, { id: '2', event: 'message', data: body.messages[0] });
      assert.equal(event?.data.text, 'line\nfeed \u2028 \u0000 and "quotes"');
      assert.equal(event?.data.seq, 2);
      stream.close();
    });

    test('goes on after Last-Event-ID, which wins over after [NET-171] [NET-172]', async () => {
      const [from, to] = await contacts(net);
      for (let n = 2; n <= 40; n += 1) await sendTo(net, from, to, `${n}`);
      const texts = async (stream: EventStream, count: number) =>
        (await stream.take('message', count)).map(({ id }) => Number(id));
      const resumed = await open(to, { 'last-event-id': '3', query: '?after=30' });
      assert.deepEqual(await ready(resumed), { after: 3, pending_requests: 0 });
      assert.deepEqual(
        await texts(resumed, 37),
        Array.from({ length: 37 }, (_, index) => index + 4),
      );
      await sendTo(net, from, to, '41');
      assert.deepEqual(await texts(resumed, 1), [41]);
      resumed.close();
      const asked = await open(to, { query: '?after=39' });
      assert.deepEqual(await texts(asked, 2), [40, 41]);
      asked.close();
      // From beyond the end: it says where it begins instead, and hides nothing that comes.
      const beyond = await open(to, { 'last-event-id': '99' });
      assert.equal((await ready(beyond)).after, 41);
      await sendTo(net, from, to, '42');
      assert.deepEqual(await texts(beyond, 1), [42]);
      beyond.close();
      const furthest = await open(to, { 'last-event-id': '9007199254740993' });
      assert.equal((await ready(furthest)).after, 42);
      furthest.close();
      for (const id of ['x', '-1', '-0', '+1', '1.5', ' ', '1e3']) {
        const refused = await net.call('GET', '/v1/net/stream', {
          passcode: to.passcode,
          headers: { 'last-event-id': id },
        });
        assertNo(refused, [400, 'invalid_after']);
      }
    });

    test('whoever asks for its head alone follows nothing and holds no place', async () => {
      const to = await net.signUp('header');
      const before_all = waiting();
      for (let time = 0; time < 10; time += 1) {
        const head = await net.call('HEAD', '/v1/net/stream', { passcode: to.passcode });
        assert.deepEqual([head.status, head.text], [200, '']);
        assert.equal(head.headers.get('content-type'), 'text/event-stream');
      }
      assert.equal(waiting(), before_all);
    });

    test('a heartbeat comes every 15 seconds [NET-173]', async () => {
      const to = await net.signUp('listener');
      const stream = await open(to);
      await ready(stream);
      for (let beat = 0; beat < 6; beat += 1) {
        await until(() => waiting() > 0);
        house.clock.advance(15_000);
        assert.deepEqual(await stream.next(), { comment: 'heartbeat' });
      }
      stream.close();
    });

    test('tells of a contact request by its id alone, and only who listens [NET-174] [NET-141]', async () => {
      const to = await net.signUp('asked');
      const stream = await open(to);
      await ready(stream);
      const stranger = await net.signUp('Loud Stranger');
      const asked = await net.call('POST', '/v1/net/messages', {
        passcode: stranger.passcode,
        body: { to: to.handle, text: 'Buy now' },
      });
      const event = await stream.next();
      assert.deepEqual(event, {
        event: 'contact_request',
        data: {
          request_id: asked.body.request.id,
          sender_kind: 'agent',
          pending_requests: 1,
        },
      });
      stream.close();
      // It is not replayed: who comes later sees how many wait.
      const later = await open(to, { 'last-event-id': '0' });
      assert.deepEqual(await ready(later), { after: 0, pending_requests: 1 });
      const second = await net.signUp('second');
      await net.call('POST', '/v1/net/messages', {
        passcode: second.passcode,
        body: { to: to.handle, text: 'Me too' },
      });
      const next = await later.next();
      assert.equal(next?.data.pending_requests, 2);
      later.close();
    });

    test('eight streams of an account are open at once; an abandoned one is freed and swallows nothing [NET-175]', async () => {
      const [from, to] = await contacts(net);
      const before_all = waiting();
      const streams = await Promise.all(Array.from({ length: 8 }, () => open(to)));
      for (const stream of streams) await ready(stream);
      await until(() => waiting() === before_all + 8);
      const ninth = await net.call('GET', '/v1/net/stream', { passcode: to.passcode });
      assertNo(ninth, [429, 'rate_limited'], { retry_after: 1 });
      const held = await net.call('GET', '/v1/net/messages/wait?after=1', {
        passcode: to.passcode,
      });
      assertNo(held, [429, 'rate_limited'], { retry_after: 1 });
      for (const stream of streams) stream.close();
      await until(() => waiting() === before_all);
      const abort = new AbortController();
      const left = house.fetch('/net/v1/net/messages/wait?after=1', {
        headers: { 'x-inbox-passcode': to.passcode },
        signal: abort.signal,
      });
      await until(() => waiting() === before_all + 1);
      abort.abort();
      await assert.rejects(left);
      await until(() => waiting() === before_all);
      await sendTo(net, from, to, 'not lost');
      const { body } = await net.call('GET', '/v1/net/messages?after=1', {
        passcode: to.passcode,
      });
      assert.deepEqual(
        body.messages.map(({ text }: { text: string }) => text),
        ['not lost'],
      );
      const again = await open(to);
      assert.equal(again.status, 200);
      again.close();
    });

    test('four hundred reconnects while messages arrive lose and repeat nothing [NET-171] [NET-175]', async () => {
      const [from, to] = await contacts(net);
      let sent = 1;
      let is_over = false;
      const writing = Promise.all(
        Array.from({ length: 2 }, async () => {
          while (!is_over) {
            await sendTo(net, from, to, 'x');
            sent += 1;
          }
        }),
      );
      await Promise.all(
        Array.from({ length: readers }, async (_, reader) => {
          let last = 0;
          for (let time = 0; time < reconnects[engine] / readers; time += 1) {
            const stream = await open(to, { 'last-event-id': String(last) });
            // Left in the middle, each time after another number of events.
            const events = await stream.take('message', 1 + ((time + reader) % 3));
            stream.close();
            for (const { id, data } of events) {
              assert.equal(Number(id), last + 1);
              assert.equal(data.seq, last + 1);
              last += 1;
            }
          }
          if (reader > 0) return;
          // To the end, at one go.
          const rest = await open(to, { 'last-event-id': String(last) });
          const events = await rest.take('message', Math.max(sent - last, 0));
          rest.close();
          assert.deepEqual(
            events.map(({ id }) => Number(id)),
            events.map((_, index) => last + 1 + index),
          );
        }),
      ).finally(() => {
        is_over = true;
      });
      await writing;
    });
  });
});

test('what one process of the house delivers comes over the streams and waits of another; their places are shared [NET-170] [NET-166]', async () => {
  await using house = await openNetworkHouse({ engine: 'postgres' });
  await using beside = await openNetworkHouse({ engine: 'postgres', beside: house });
  const [net, other] = [networkOf(house), networkOf(beside)];
  const [from, to] = await contacts(net);
  const headers = { 'x-inbox-passcode': to.passcode };
  const stream = await openEventStream(beside, '/net/v1/net/stream', headers);
  const { passcode } = to;
  const waiting = other.call('GET', '/v1/net/messages/wait?after=1', { passcode });
  while (beside.house.deps.waiters.count() < 2) await new Promise(setImmediate);
  await sendTo(net, from, to, 'from next door');
  const [event] = await stream.take('message', 1);
  assert.deepEqual([event?.id, event?.data.text], ['2', 'from next door']);
  assert.deepEqual((await waiting).body.messages, [event?.data]);
  const others = await Promise.all(
    Array.from({ length: 7 }, () => openEventStream(house, '/net/v1/net/stream', headers)),
  );
  assertNo(await other.call('GET', '/v1/net/stream', { passcode }), [429, 'rate_limited'], {
    retry_after: 1,
  });
  for (const opened of [stream, ...others]) opened.close();
});

test('a stream ends with the session that opened it, and with the house [NET-175] [NET-052]', async () => {
  await using house = await openNetworkHouse({ engine: 'sqlite' });
  const net = networkOf(house);
  const agent = await net.signUp('by key');
  const key = newKey();
  await putKeyOnCard(net, agent, key.key);
  const { token } = (await signInBy(net, agent.handle, key)).body;
  const stream = await openEventStream(house, '/net/v1/net/stream', {
    authorization: `Sigil ${token}`,
  });
  await stream.next();
  await stream.next();
  await net.call('POST', '/v1/sigil/keys/revoke', { passcode: agent.passcode });
  while (house.house.deps.waiters.count() === 0) await new Promise(setImmediate);
  house.clock.advance(15_000);
  assert.equal(await stream.next(), undefined);
  const other = await openEventStream(house, '/net/v1/net/stream', {
    'x-inbox-passcode': agent.passcode,
  });
  await other.next();
  await other.next();
  const ended = other.next();
  await house.house.close();
  assert.equal(await ended, undefined);
  await house.restart();
});
