import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { forEachEngine } from '../../support/engines.ts';
import {
  type Agent,
  assertNo,
  type NetworkApi,
  networkOf,
  openNetworkHouse,
} from '../../support/network-api.ts';
import { contacts, sendTo } from '../../support/network-contacts.ts';
import type { TestHouse } from '../../support/open-house.ts';

const bad_numbers = ['-1', '-0', '1.5', '1e3', 'x', '', ' 1', '0x1', '+1', 'NaN'];

forEachEngine((engine) => {
  describe('receiving by poll', () => {
    let house: TestHouse;
    let net: NetworkApi;

    before(async () => {
      house = await openNetworkHouse({
        engine,
        limits: { messages_per_minute_max: 10_000, messages_per_day_max: 10_000 },
      });
      net = networkOf(house);
    });
    after(() => house.close());

    const read = async (agent: Agent, query = '') =>
      net.call('GET', `/v1/net/messages${query}`, { passcode: agent.passcode });
    const wait = async (agent: Agent, query: string) =>
      net.call('GET', `/v1/net/messages/wait${query}`, { passcode: agent.passcode });
    /** Waits until so many calls are held. */
    const held = async (count: number) => {
      while (house.house.deps.waiters.count() < count) await new Promise(setImmediate);
    };

    test('shows what was received after a seq, in order and in parts [NET-162] [NET-165]', async () => {
      const [from, to] = await contacts(net);
      const empty = await read(from);
      assert.deepEqual(empty.body, {
        messages: [],
        next_after: 0,
        more: false,
        pending_requests: 0,
      });
      for (const text of ['two', 'three', 'four']) await sendTo(net, from, to, text);
      const all = (await read(to)).body;
      assert.deepEqual(
        all.messages.map(({ seq, text }: { seq: number; text: string }) => [seq, text]),
        [
          [1, 'Shall we talk?'],
          [2, 'two'],
          [3, 'three'],
          [4, 'four'],
        ],
      );
      assert.deepEqual([all.next_after, all.more], [4, false]);
      const part = (await read(to, '?after=1&limit=2')).body;
      assert.deepEqual(part.messages, all.messages.slice(1, 3));
      assert.deepEqual([part.next_after, part.more], [3, true]);
      const rest = (await read(to, `?after=${part.next_after}&limit=1`)).body;
      assert.deepEqual(rest.messages, all.messages.slice(3));
      assert.equal(rest.more, false);
      const beyond = (await read(to, '?after=99')).body;
      assert.deepEqual([beyond.messages, beyond.next_after, beyond.more], [[], 99, false]);
      // What was sent is not in the sender's own queue.
      assert.deepEqual((await read(from)).body.messages, []);
      const message = all.messages[1];
      await net.call('POST', `/v1/net/messages/${message.id}/read`, { passcode: to.passcode });
      const marked = (await read(to)).body.messages[1];
      assert.deepEqual(marked, { ...message, read_at: marked.read_at });
      assert.notEqual(marked.read_at, null);
    });

    test('with parallel senders moving on misses nothing [NET-162] [NET-163]', async () => {
      const to = await net.signUp('busy');
      const senders = await Promise.all([1, 2, 3, 4].map(() => net.signUp('sender')));
      for (const from of senders) {
        await net.call('POST', '/v1/net/messages', {
          passcode: from.passcode,
          body: { to: to.handle, text: 'ask' },
        });
        await net.call('POST', `/v1/net/requests/${from.handle}/accept`, {
          passcode: to.passcode,
        });
      }
      let is_over = false;
      const seen: { seq: number; id: string }[] = [];
      const reading = (async () => {
        for (let after = 0; ; ) {
          const was_over = is_over;
          const { body } = await read(to, `?after=${after}&limit=7`);
          seen.push(...body.messages);
          after = body.next_after;
          if (was_over && body.messages.length === 0) return;
        }
      })();
      const sent = await Promise.all(
        senders.map(async (from) => {
          const ids: string[] = [];
          for (let n = 0; n < 25; n += 1) ids.push((await sendTo(net, from, to, `${n}`)).id);
          return ids;
        }),
      );
      is_over = true;
      await reading;
      const count = senders.length * 26;
      assert.deepEqual(
        seen.map(({ seq }) => seq),
        Array.from({ length: count }, (_, index) => index + 1),
      );
      const ids = new Set(seen.map(({ id }) => id));
      assert.ok(sent.flat().every((id) => ids.has(id)));
    });

    test('a wait answers at once, when something comes, or at its end [NET-166] [NET-167]', async () => {
      const [from, to] = await contacts(net);
      const at_once = await wait(to, '?after=0&timeout=25');
      assert.equal(at_once.body.messages.length, 1);
      const waiting = wait(to, '?after=1&timeout=60');
      await held(1);
      await sendTo(net, from, to, 'here');
      const { body } = await waiting;
      assert.deepEqual(
        body.messages.map(({ text }: { text: string }) => text),
        ['here'],
      );
      assert.equal(body.next_after, 2);
      for (const [query, lasts_ms] of [
        ['', 25_000],
        ['&timeout=3', 3_000],
        ['&timeout=61', 60_000],
        ['&timeout=999999', 60_000],
      ] as const) {
        let is_over = false;
        const ending = wait(to, `?after=2${query}`).finally(() => {
          is_over = true;
        });
        await held(1);
        house.clock.advance(lasts_ms - 1);
        await read(to);
        assert.equal(is_over, false, query);
        house.clock.advance(1);
        const ended = (await ending).body;
        assert.deepEqual([ended.messages, ended.next_after, ended.more], [[], 2, false]);
      }
      const never = await wait(to, '?after=2&timeout=0');
      assert.deepEqual(never.body.messages, []);
    });

    test('a queue is nobody else’s [NET-169]', async () => {
      const [from, to] = await contacts(net);
      await sendTo(net, from, to, 'for you alone');
      const stranger = await net.signUp('stranger');
      for (const other of [from, stranger]) {
        const { text } = await read(other, '?after=0');
        assert.doesNotMatch(text, /for you alone/);
      }
      assertNo(await net.call('GET', '/v1/net/messages'), [401, 'unauthorized']);
      assertNo(await net.call('GET', '/v1/net/messages/wait?timeout=0'), [401, 'unauthorized']);
      assertNo(await net.call('GET', '/v1/net/stream'), [401, 'unauthorized']);
    });

    test('eight waits of an account are held at once, and no more', async () => {
      const to = await net.signUp('patient');
      const waits = Array.from({ length: 8 }, () => wait(to, '?timeout=5'));
      await held(8);
      assertNo(await wait(to, '?timeout=5'), [429, 'rate_limited'], { retry_after: 1 });
      house.clock.advance(5_000);
      for (const waiting of waits) assert.equal((await waiting).status, 200);
      const again = wait(to, '?timeout=1');
      await held(1);
      house.clock.advance(1_000);
      assert.equal((await again).status, 200);
    });
  });
});

describe('the numbers of a poll', () => {
  let house: TestHouse;
  let net: NetworkApi;
  let agent: Agent;
  before(async () => {
    house = await openNetworkHouse({ engine: 'sqlite' });
    net = networkOf(house);
    agent = await net.signUp('reader');
  });
  after(() => house.close());

  const get = (path: string) => net.call('GET', path, { passcode: agent.passcode });
  const refuses = async (path: string, field: string, numbers: readonly string[]) => {
    for (const number of numbers) {
      const reply = await get(`${path}${field}=${encodeURIComponent(number)}`);
      assertNo(reply, [400, `invalid_${field}`]);
    }
  };

  test('after is a whole number of 0 or more [NET-168]', async () => {
    for (const path of [
      '/v1/net/messages?',
      '/v1/net/messages/wait?timeout=0&',
      '/v1/net/stream?',
      '/v1/inbox?',
      '/v1/inbox/wait?timeout=0&',
    ]) {
      await refuses(path, 'after', bad_numbers);
    }
    assert.equal((await get('/v1/net/messages?after=0')).status, 200);
    assert.equal((await get('/v1/net/messages?after=4096')).status, 200);
  });

  test('timeout is a whole number [NET-167]', async () => {
    for (const path of ['/v1/net/messages/wait?', '/v1/inbox/wait?']) {
      await refuses(path, 'timeout', bad_numbers);
    }
    const longest = get(`/v1/net/messages/wait?timeout=${'9'.repeat(400)}`);
    while (house.house.deps.waiters.count() === 0) await new Promise(setImmediate);
    house.clock.advance(60_000);
    assert.deepEqual((await longest).body.messages, []);
  });

  test('limit is 1 to 200', async () => {
    for (const path of ['/v1/net/messages?', '/v1/inbox?']) {
      await refuses(path, 'limit', [...bad_numbers, '0', '201']);
      for (const limit of ['1', '200']) {
        assert.equal((await get(`${path}limit=${limit}`)).status, 200);
      }
    }
  });
});
