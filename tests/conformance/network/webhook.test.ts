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
import {
  assertSigned,
  openReceiver,
  type WebhookReceiver,
} from '../../support/webhook-receiver.ts';

const raised = { messages_per_minute_max: 10_000, messages_per_day_max: 10_000 };
const pauses_ms = [2_000, 10_000, 60_000, 300_000];

function hooksOf(net: NetworkApi) {
  const read = async ({ passcode }: Agent) =>
    (await net.call('GET', '/v1/net/webhook', { passcode })).body.webhook;
  return {
    read,
    set: ({ passcode }: Agent, url: unknown) =>
      net.call('POST', '/v1/net/webhook', { passcode, body: { url } }),
    /** The webhook, once so many of its attempts are written down. */
    async logged(agent: Agent, count: number) {
      for (;;) {
        const webhook = await read(agent);
        if (webhook.log.length >= count) return webhook;
        await new Promise(setImmediate);
      }
    },
    /** Looks several times, for what should not happen. */
    async settle(agent: Agent) {
      for (let look = 0; look < 8; look += 1) await read(agent);
    },
  };
}

const outcomes = (webhook: { log: { attempt: number; outcome: string }[] }) =>
  webhook.log.map(({ attempt, outcome }) => `${attempt} ${outcome}`);

forEachEngine((engine) => {
  describe('webhooks', () => {
    let house: TestHouse;
    let net: NetworkApi;
    let receiver: WebhookReceiver;
    let hooks: ReturnType<typeof hooksOf>;

    before(async () => {
      receiver = await openReceiver();
      house = await openNetworkHouse({ engine, limits: raised, outbound: receiver.outbound });
      net = networkOf(house);
      hooks = hooksOf(net);
    });
    after(async () => {
      await house.close();
      await receiver.close();
    });

    test('each delivered message is sent to the URL, signed with the secret that was shown once [NET-176] [NET-177] [NET-179]', async () => {
      const [from, to] = await contacts(net);
      assert.equal(await hooks.read(to), null);
      const set = await hooks.set(to, receiver.url('/first'));
      assert.equal(set.status, 201);
      const { secret, webhook } = set.body;
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
      assert.deepEqual(webhook, {
        url: receiver.url('/first'),
        enabled: true,
        created_at: webhook.created_at,
        failed_in_a_row: 0,
        disabled_at: null,
        log: [],
      });
      await sendTo(net, from, to, 'sent to a hook \u0000 ✓');
      const [hooked] = await receiver.calls('/first', 1);
      assert.ok(hooked);
      assertSigned(hooked, secret, house.clock.now());
      assert.equal(hooked.headers['content-type'], 'application/json');
      const received = await net.call('GET', '/v1/net/messages?after=1', {
        passcode: to.passcode,
      });
      const [message] = received.body.messages;
      assert.deepEqual(JSON.parse(hooked.body), {
        type: 'message',
        id: hooked.headers['x-ni-event'],
        account: to.account,
        timestamp: message.delivered_at,
        seq: 2,
        data: message,
      });
      const read = await hooks.logged(to, 1);
      assert.deepEqual(read, {
        ...webhook,
        log: [
          {
            at: read.log[0].at,
            event: hooked.headers['x-ni-event'],
            attempt: 1,
            outcome: 'delivered',
          },
        ],
      });
      const { text } = await net.call('GET', '/v1/net/webhook', { passcode: to.passcode });
      assert.ok(!text.includes(secret) && !/status|error|body|127\.0/.test(text));
      // The contact's first message came before there was a webhook; nobody else is called.
      await hooks.settle(to);
      assert.equal(receiver.at('/first').length, 1);
      assert.equal(await hooks.read(from), null);
    });

    test('what is not delivered is tried four times more, stamped and signed anew [NET-180] [NET-181] [NET-182]', async () => {
      const [from, to] = await contacts(net);
      const { secret } = (await hooks.set(to, receiver.url('/down'))).body;
      receiver.answer('/down', 503);
      await sendTo(net, from, to, 'try again');
      let calls = await receiver.calls('/down', 1);
      const stamps: string[] = [];
      for (const [index, pause_ms] of pauses_ms.entries()) {
        const call = calls[index];
        assert.ok(call);
        // A receiver that refuses stamps older than 5 minutes takes each of them.
        assertSigned(call, secret, house.clock.now());
        stamps.push(String(call.headers['x-ni-timestamp']));
        await hooks.logged(to, index + 1);
        house.clock.advance(pause_ms - 1);
        await hooks.settle(to);
        assert.equal(receiver.at('/down').length, index + 1, `before ${pause_ms} ms`);
        house.clock.advance(1);
        calls = await receiver.calls('/down', index + 2);
      }
      const webhook = await hooks.logged(to, 5);
      assert.deepEqual(outcomes(webhook), [
        '5 rejected',
        '4 rejected',
        '3 rejected',
        '2 rejected',
        '1 rejected',
      ]);
      assert.equal(webhook.failed_in_a_row, 1);
      assert.equal(webhook.enabled, true);
      const last = calls.at(-1);
      assert.ok(last);
      assertSigned(last, secret, house.clock.now());
      assert.equal(new Set([...stamps, last.headers['x-ni-timestamp']]).size, 5);
      assert.equal(new Set(calls.map(({ headers }) => headers['x-ni-event'])).size, 1);
      assert.equal(new Set(calls.map(({ body }) => body)).size, 1);
      house.clock.advance(3_600_000);
      await hooks.settle(to);
      assert.equal(receiver.at('/down').length, 5);
      // Another event has another id, and its success forgets the failure.
      receiver.answer('/down', 200);
      await sendTo(net, from, to, 'up again');
      const after_it = await receiver.calls('/down', 6);
      assert.notEqual(after_it[5]?.headers['x-ni-event'], last.headers['x-ni-event']);
      assert.equal((await hooks.logged(to, 6)).failed_in_a_row, 0);
    });

    test('a new message does not wait for the retry of another [NET-182]', async () => {
      const [from, to] = await contacts(net);
      await hooks.set(to, receiver.url('/mixed'));
      receiver.answer('/mixed', 500);
      await sendTo(net, from, to, 'first');
      await hooks.logged(to, 1);
      receiver.answer('/mixed', 204);
      await sendTo(net, from, to, 'second');
      assert.deepEqual(outcomes(await hooks.logged(to, 2)), ['1 delivered', '1 rejected']);
      house.clock.advance(2_000);
      assert.deepEqual(outcomes(await hooks.logged(to, 3)), [
        '2 delivered',
        '1 delivered',
        '1 rejected',
      ]);
    });

    test('twenty failed events in a row disable it, nineteen and a delivered one do not; the queue keeps all [NET-183] [NET-184] [NET-185] [NET-178]', async () => {
      const [from, to] = await contacts(net);
      const first = (await hooks.set(to, receiver.url('/away'))).body;
      const fail = async (count: number) => {
        receiver.answer('/away', 302);
        for (let n = 0; n < count; n += 1) {
          const { log } = await hooks.read(to);
          await sendTo(net, from, to, 'lost');
          await hooks.logged(to, Math.min(log.length + 1, 50));
          await receiver.calls('/away', log.length + 1);
        }
      };
      await fail(19);
      const nineteen = await hooks.read(to);
      assert.deepEqual([nineteen.enabled, nineteen.failed_in_a_row], [true, 19]);
      // A redirect is an answer, and a final one.
      assert.equal(receiver.at('/elsewhere').length, 0);
      assert.equal(receiver.at('/away').length, 19);
      receiver.answer('/away', 204);
      await sendTo(net, from, to, 'found');
      const found = await hooks.logged(to, 20);
      assert.deepEqual([found.enabled, found.failed_in_a_row], [true, 0]);
      await fail(20);
      const disabled = await hooks.read(to);
      assert.deepEqual(
        [disabled.enabled, disabled.failed_in_a_row, disabled.disabled_at !== null],
        [false, 20, true],
      );
      assert.ok(
        outcomes(disabled)
          .slice(0, 20)
          .every((line) => line === '1 rejected'),
      );
      receiver.answer('/away', 204);
      await sendTo(net, from, to, 'while it is off');
      house.clock.advance(400_000);
      await hooks.settle(to);
      assert.equal(receiver.at('/away').length, 40);
      const { body } = await net.call('GET', '/v1/net/messages?limit=200', {
        passcode: to.passcode,
      });
      assert.equal(body.messages.length, 42);
      const second = (await hooks.set(to, receiver.url('/back'))).body;
      assert.notEqual(second.secret, first.secret);
      assert.deepEqual([second.webhook.enabled, second.webhook.failed_in_a_row], [true, 0]);
      await sendTo(net, from, to, 'on again');
      const [back] = await receiver.calls('/back', 1);
      assert.ok(back);
      assertSigned(back, second.secret, house.clock.now());
      await hooks.logged(to, 1);
      const removed = await hooks.set(to, null);
      assert.deepEqual([removed.status, removed.body], [200, { webhook: null }]);
      assert.equal(await hooks.read(to), null);
      await sendTo(net, from, to, 'off');
      await hooks.settle(to);
      assert.equal(receiver.at('/back').length, 1);
    });

    test('what is owed when a webhook is replaced goes to the new URL with the new secret [NET-178]', async () => {
      const [from, to] = await contacts(net);
      await hooks.set(to, receiver.url('/old'));
      receiver.answer('/old', 500);
      await sendTo(net, from, to, 'moving');
      await hooks.logged(to, 1);
      const { secret } = (await hooks.set(to, receiver.url('/new', 'other.test'))).body;
      house.clock.advance(2_000);
      const [hooked] = await receiver.calls('/new', 1);
      assert.ok(hooked);
      assertSigned(hooked, secret, house.clock.now());
      assert.match(String(hooked.headers.host), /^other\.test:/);
      assert.equal(receiver.at('/old').length, 1);
    });
  });
});

describe('what a webhook may be', () => {
  let house: TestHouse;
  let net: NetworkApi;
  let receiver: WebhookReceiver;
  let hooks: ReturnType<typeof hooksOf>;
  let agent: Agent;

  before(async () => {
    receiver = await openReceiver();
    house = await openNetworkHouse({
      engine: 'sqlite',
      limits: raised,
      outbound: receiver.outbound,
    });
    net = networkOf(house);
    hooks = hooksOf(net);
    agent = await net.signUp('hooked');
  });
  after(async () => {
    await house.close();
    await receiver.close();
  });

  /** How the message begins, up to what to send instead. */
  const refusesAs = async (fault: string, ...urls: unknown[]) => {
    for (const url of urls) {
      for (const path of ['/v1/net/webhook', '/v1/inbox/wake']) {
        const reply = await net.call('POST', path, {
          passcode: agent.passcode,
          body: { url },
        });
        const message = assertNo(reply, [400, 'invalid_url']);
        assert.match(message, /; send an https URL .* reached from the open internet/);
        assert.ok(message.startsWith(`url ${fault}; send `), `${url}: ${message}`);
      }
    }
    assert.equal(await hooks.read(agent), null);
  };
  /** Of every host, as of every name, the same is said. */
  const refuses = (...urls: string[]) =>
    refusesAs('has no host that can be reached from the open internet', ...urls);

  test('is https, without user info, and no longer than 2048 [NET-186]', async () => {
    const base = receiver.url('/');
    await refusesAs('is missing', undefined);
    await refusesAs('must be a string', 5, {});
    await refusesAs(
      'holds half of a surrogate pair, which is no character',
      'https://hook.test/\ud800',
    );
    await refusesAs('holds a control character', 'https://hook.test/\u0000');
    await refusesAs(
      'does not begin with https://',
      '',
      'hook',
      '//hook.test/',
      'http://hook.test/',
      'ftp://hook.test/',
      'javascript:alert(1)',
      'https:hook.test',
      'https:/hook.test/',
    );
    await refusesAs(
      'holds a user name',
      'https://user@hook.test/',
      'https://user:word@hook.test/',
      'https://@hook.test/',
    );
    await refusesAs(
      'holds white space, a control character or a backslash',
      'https:\\\\@hook.test/',
      'https:\\\\hook.test/',
      'https://hook.test\\@127.0.0.1/',
      'https://hook.test/a\\b',
      ' https://hook.test/',
      'https://hook.test/ ',
      'https://hook.test/\u00a0',
      'https://hook.test/\u0085',
      'https://hook.test/a b',
    );
    await refuses('https://', 'https:///hook.test/', 'https://hook.test:0/');
    await refusesAs('is longer than 2048 characters', base + 'x'.repeat(2_049 - base.length));
    const longest = base + 'x'.repeat(2_048 - base.length);
    assert.equal((await hooks.set(agent, longest)).status, 201);
    await hooks.set(agent, null);
  });

  test('is on no address that is not of the open internet [NET-187]', async () => {
    await refuses(
      'https://127.0.0.1/',
      'https://127.255.255.254/',
      'https://[::1]/',
      'https://10.0.0.1/',
      'https://172.16.0.1/',
      'https://192.168.1.1/',
      'https://[fd00::1]/',
      'https://100.64.0.1/',
      'https://169.254.169.254/latest/meta-data/',
      'https://[fe80::1]/',
      'https://224.0.0.1/',
      'https://[ff02::1]/',
      'https://240.0.0.1/',
      'https://255.255.255.255/',
      'https://192.0.2.1/',
      'https://198.51.100.1/',
      'https://203.0.113.1/',
      'https://[2001:db8::1]/',
      'https://0.0.0.0/',
      'https://[::]/',
      'https://localhost/',
      'https://LOCALHOST.:8443/',
      'https://hook.localhost/',
    );
  });

  test('nor in any other spelling of one, nor in a form of IPv6 that carries IPv4 [NET-188]', async () => {
    await refuses(
      'https://0x7f.1/',
      'https://0x7f000001/',
      'https://0177.0.0.1/',
      'https://2130706433/',
      'https://127.1/',
      'https://１２７.0.0.1/',
      'https://127.0.0.1./',
      'https://[::ffff:127.0.0.1]/',
      'https://[::FFFF:7F00:1]/',
      'https://[::ffff:8.8.8.8]/',
      'https://[::127.0.0.1]/',
      'https://[64:ff9b::7f00:1]/',
      'https://[64:ff9b:1::1]/',
      'https://[2002:7f00:1::]/',
      'https://[2001:0:7f00:1::]/',
    );
  });

  test('nor by a name that has one such address among others, or none [NET-189]', async () => {
    receiver.names.set('inside.test', ['10.0.0.1']);
    receiver.names.set('both.test', ['127.0.0.1', '10.0.0.1']);
    receiver.names.set('nowhere.test', []);
    await refuses(
      receiver.url('/', 'inside.test'),
      receiver.url('/', 'both.test'),
      receiver.url('/', 'nowhere.test'),
      receiver.url('/', 'unknown.test'),
    );
  });

  test('a name is vetted again on each attempt, and no connection is made to what it has become [NET-189] [NET-190]', async () => {
    const [from, to] = await contacts(net);
    await hooks.set(to, receiver.url('/rebound'));
    for (const addresses of [['10.0.0.1'], ['127.0.0.1', '10.0.0.1'], []]) {
      receiver.names.set('hook.test', addresses);
      const { log } = await hooks.read(to);
      await sendTo(net, from, to, 'inside');
      const webhook = await hooks.logged(to, log.length + 1);
      assert.equal(outcomes(webhook)[0], '1 failed');
    }
    assert.equal(receiver.at('/rebound').length, 0);
    receiver.names.set('hook.test', ['127.0.0.1']);
    house.clock.advance(2_000);
    const calls = await receiver.calls('/rebound', 3);
    assert.match(String(calls[0]?.headers.host), /^hook\.test:/);
    assert.equal((await hooks.logged(to, 6)).failed_in_a_row, 0);
  });

  test('in practice mode it may be on this machine, in one spelling', async () => {
    const url = 'http://127.0.0.1:1/hook';
    const set = await hooks.set(agent, url);
    assert.equal(set.status, 201);
    assert.equal(set.body.webhook.url, url);
    await hooks.set(agent, null);
    await refusesAs(
      'does not begin with https://',
      'http://127.1:1/hook',
      'http://localhost:1/hook',
    );
    await refuses('https://127.0.0.1:1/hook');
    await using strict = await openNetworkHouse({ engine: 'sqlite', practice: false });
    const other = networkOf(strict);
    const newcomer = await other.signUp('strict');
    assertNo(await hooksOf(other).set(newcomer, url), [400, 'invalid_url']);
  });

  test('a slow receiver of one account does not hold up the others [NET-191]', async () => {
    const slow = Promise.withResolvers<void>();
    const slow_ones = await Promise.all([1, 2, 3].map(() => contacts(net)));
    for (const [index, [from, to]] of slow_ones.entries()) {
      receiver.answer(`/slow-${index}`, 204, slow.promise);
      await hooks.set(to, receiver.url(`/slow-${index}`));
      for (let n = 0; n < 3; n += 1) await sendTo(net, from, to, `${n}`);
    }
    for (const index of slow_ones.keys()) await receiver.calls(`/slow-${index}`, 1);
    const [from, to] = await contacts(net);
    await hooks.set(to, receiver.url('/quick'));
    for (let n = 0; n < 20; n += 1) await sendTo(net, from, to, `${n}`);
    const quick = await receiver.calls('/quick', 20);
    assert.deepEqual(
      quick.map(({ body }) => JSON.parse(body).data.text),
      Array.from({ length: 20 }, (_, index) => `${index}`),
    );
    // Of one account few are under way at once.
    for (const index of slow_ones.keys()) {
      assert.ok(receiver.at(`/slow-${index}`).length <= 2);
    }
    slow.resolve();
    for (const index of slow_ones.keys()) await receiver.calls(`/slow-${index}`, 3);
  });

  test('no webhook and no wake URL is called for a contact request [NET-142]', async () => {
    const to = await net.signUp('quiet');
    await hooks.set(to, receiver.url('/quiet'));
    await net.call('POST', '/v1/inbox/wake', {
      passcode: to.passcode,
      body: { url: receiver.url('/quiet') },
    });
    const stranger = await net.signUp('stranger');
    const asked = await net.call('POST', '/v1/net/messages', {
      passcode: stranger.passcode,
      body: { to: to.handle, text: 'hello?' },
    });
    assert.equal(asked.status, 202);
    house.clock.advance(60_000);
    await hooks.settle(to);
    assert.equal(receiver.at('/quiet').length, 0);
    // Accepted it is a message like others.
    await net.call('POST', `/v1/net/requests/${asked.body.request.id}/accept`, {
      passcode: to.passcode,
    });
    const calls = await receiver.calls('/quiet', 2);
    const types = calls.map(({ body }) => JSON.parse(body).type).sort();
    assert.deepEqual(types, ['message', 'wake']);
  });
});
