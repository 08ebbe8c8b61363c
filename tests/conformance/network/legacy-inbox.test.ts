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
import { befriend, contacts, sendTo } from '../../support/network-contacts.ts';
import type { TestHouse } from '../../support/open-house.ts';
import { openReceiver, type WebhookReceiver } from '../../support/webhook-receiver.ts';

const raised = { messages_per_minute_max: 1_000, messages_per_day_max: 1_000 };

/** Notices are jobs, which may come late, or find the request answered. */
const isNoNotice = ({ kind }: { kind: string }) => kind !== 'notice';

function inboxOf(net: NetworkApi) {
  return {
    read: async ({ passcode }: Agent, query = '') =>
      (await net.call('GET', `/v1/inbox${query}`, { passcode })).body,
    wait: async ({ passcode }: Agent, query: string) =>
      (await net.call('GET', `/v1/inbox/wait${query}`, { passcode })).body,
    send: ({ passcode }: Agent, to: string, text: unknown = 'direct') =>
      net.call('POST', '/v1/inbox/send', { passcode, body: { to, text } }),
    wake: ({ passcode }: Agent, url: string | null) =>
      net.call('POST', '/v1/inbox/wake', { passcode, body: { url } }),
  };
}

forEachEngine((engine) => {
  describe('the inbox of before', () => {
    let house: TestHouse;
    let net: NetworkApi;
    let receiver: WebhookReceiver;
    let inbox: ReturnType<typeof inboxOf>;

    before(async () => {
      receiver = await openReceiver();
      house = await openNetworkHouse({ engine, limits: raised, outbound: receiver.outbound });
      net = networkOf(house);
      inbox = inboxOf(net);
    });
    after(async () => {
      await house.close();
      await receiver.close();
    });
    /** Waits until so many calls are held. */
    const held = async (count: number) => {
      while (house.house.deps.waiters.count() < count) await new Promise(setImmediate);
    };

    test('has every delivered message, in order and after an id [NET-193]', async () => {
      const [from, to] = await contacts(net);
      const text = 'kept as it is \u0000 ✓';
      const sent = await sendTo(net, from, to, text);
      const { agent, messages, last_id } = await inbox.read(to);
      assert.equal(agent, to.handle);
      const [first, second] = messages.filter(isNoNotice);
      assert.equal(first.text, 'Shall we talk?');
      assert.deepEqual(
        messages.map(({ id }: { id: number }) => id),
        messages.map((_: unknown, index: number) => index + 1),
      );
      assert.equal(last_id, messages.length);
      assert.deepEqual(second, {
        id: second.id,
        from: from.handle,
        text,
        at: sent.delivered_at,
        kind: 'message',
        net_id: sent.id,
        thread: sent.thread,
        sender_kind: 'agent',
        trust: 'agent, passcode',
      });
      const before_it = await inbox.read(to, `?after=${first.id - 1}&limit=1`);
      assert.deepEqual([before_it.messages, before_it.last_id], [[first], first.id]);
      const end = await inbox.read(to, '?after=99');
      assert.deepEqual([end.messages, end.last_id], [[], 99]);
      assertNo(await net.call('GET', '/v1/inbox'), [401, 'unauthorized']);
    });

    test('messages and other lines stand in one order without gaps, also in pages of any size [NET-193] [NET-195]', async () => {
      const [from, to] = await contacts(net);
      const said = ['Shall we talk?'];
      for (const [index, kind] of [...'dmmdddmdmmmd'].entries()) {
        const text = `${kind} ${index}`;
        said.push(text);
        if (kind === 'm') await sendTo(net, from, to, text);
        else assert.equal((await inbox.send(from, to.handle, text)).status, 201);
      }
      const { messages: whole } = await inbox.read(to);
      assert.deepEqual(
        whole.filter(isNoNotice).map(({ text }: { text: string }) => text),
        said,
      );
      assert.deepEqual(
        whole.map(({ id }: { id: number }) => id),
        whole.map((_: unknown, index: number) => index + 1),
      );
      for (const limit of [1, 2, 5]) {
        const paged: unknown[] = [];
        for (let after = 0; ; ) {
          const { messages, last_id } = await inbox.read(to, `?after=${after}&limit=${limit}`);
          paged.push(...messages);
          if (messages.length === 0) break;
          after = last_id;
        }
        assert.deepEqual(paged, whole);
      }
    });

    test('a wait ends for a message, and for no notice of a contact request [NET-193] [NET-143]', async () => {
      const [from, to] = await contacts(net);
      const at_once = await inbox.wait(to, '?after=0&timeout=20');
      const start = at_once.last_id;
      assert.ok(at_once.messages.some(isNoNotice));
      let is_over = false;
      const waiting = inbox.wait(to, `?after=${start}&timeout=60`).finally(() => {
        is_over = true;
      });
      await held(1);
      const stranger = await net.signUp('Most Peculiar');
      await net.call('POST', '/v1/net/messages', {
        passcode: stranger.passcode,
        body: { to: to.handle, text: 'obey me' },
      });
      while ((await inbox.read(to)).last_id === start) await new Promise(setImmediate);
      assert.equal(is_over, false);
      const [notice] = (await inbox.read(to, `?after=${start}`)).messages;
      assert.deepEqual(notice, {
        id: start + 1,
        from: 'net',
        text: 'You have a new contact request. Read it with GET /v1/net/requests.',
        at: notice.at,
        kind: 'notice',
        net_id: null,
        thread: null,
        sender_kind: 'platform',
        trust: 'platform',
      });
      await sendTo(net, from, to, 'hello');
      const { messages, last_id } = await waiting;
      assert.deepEqual(
        messages.map(({ kind }: { kind: string }) => kind),
        ['notice', 'message'],
      );
      assert.equal(last_id, start + 2);
      const ending = inbox.wait(to, `?after=${last_id}&timeout=5`);
      await held(1);
      house.clock.advance(5_000);
      assert.deepEqual(await ending, { agent: to.handle, messages: [], last_id });
    });

    test('takes a text from a contact, and from nobody else without consent [NET-196] [NET-198]', async () => {
      const [from, to] = await contacts(net);
      const sent = await inbox.send(from, `${to.handle.toUpperCase()}@localhost`, 'to you alone');
      assert.equal(sent.status, 201);
      assert.equal(sent.body.status, 'sent');
      const { messages, last_id } = await inbox.read(to);
      assert.deepEqual(messages.filter(isNoNotice).slice(1), [
        {
          id: last_id,
          from: from.handle,
          text: 'to you alone',
          at: messages.at(-1).at,
          kind: 'direct',
          net_id: null,
          thread: null,
          sender_kind: 'agent',
          trust: 'agent, passcode',
        },
      ]);
      // It lies in the inbox alone.
      const queue = await net.call('GET', '/v1/net/messages', { passcode: to.passcode });
      assert.equal(queue.body.messages.length, 1);
      const stranger = await net.signUp('stranger');
      assertNo(await inbox.send(stranger, to.handle), [403, 'consent_required']);
      assert.equal((await inbox.read(to)).last_id, last_id);
      await net.call('POST', `/v1/net/contacts/${from.handle}/remove`, { passcode: to.passcode });
      assertNo(await inbox.send(from, to.handle), [403, 'consent_required']);
      assertNo(await inbox.send(from, 'nobody-here'), [404, 'unknown_recipient']);
      assertNo(await inbox.send(from, 'not a name'), [400, 'invalid_to']);
      assertNo(await inbox.send(from, from.handle), [400, 'invalid_to']);
      for (const text of ['', 'x'.repeat(4_001), 5, '\ud800']) {
        assertNo(await inbox.send(from, to.handle, text), [400, 'invalid_text']);
      }
      assert.equal((await inbox.read(to)).last_id, last_id);
    });

    test('an agent that takes signed messages only gets none of these; who blocks is not told of [NET-196]', async () => {
      const [from, to] = await contacts(net);
      const set = (require_signed: boolean) =>
        net.call('POST', '/v1/net/settings', {
          passcode: to.passcode,
          body: { require_signed },
        });
      await set(true);
      assertNo(await inbox.send(from, to.handle), [403, 'signature_required']);
      await set(false);
      assert.equal((await inbox.send(from, to.handle)).status, 201);
      await net.call('POST', `/v1/net/requests/${from.handle}/block`, { passcode: to.passcode });
      assertNo(await inbox.send(to, from.handle), [409, 'blocked_by_you']);
      assertNo(await inbox.send(from, to.handle), [403, 'consent_required']);
    });

    test('the operator takes a text from every agent, and from one that it blocks as if it did [NET-197]', async () => {
      const agent = await net.signUp('writes to leora');
      const sent = await inbox.send(agent, 'leora', 'Good day');
      assert.equal(sent.status, 201);
      const said = await house.command('network', 'passcode', { handle: 'leora' });
      const [passcode = ''] = /nip_[A-Za-z0-9_-]{43}/.exec(said) ?? [];
      const leora: Agent = { handle: 'leora', passcode, address: '', account: 'agent:leora' };
      const before_it = await inbox.read(leora);
      assert.equal(before_it.messages.at(-1).text, 'Good day');
      await net.call('POST', `/v1/net/requests/${agent.handle}/block`, { passcode });
      const unheard = await inbox.send(agent, 'leora', 'Good night');
      assert.equal(unheard.status, 201);
      assert.deepEqual(Object.keys(unheard.body), Object.keys(sent.body));
      assert.equal((await inbox.read(leora)).last_id, before_it.last_id);
    });

    test('a wake URL is called when something reaches the inbox, with nothing of it, once in 5 seconds [NET-194]', async () => {
      const [from, to] = await contacts(net);
      const url = receiver.url('/wake');
      assert.deepEqual((await inbox.wake(to, url)).body, { wake_url: url });
      await sendTo(net, from, to, 'secret words');
      const [call] = await receiver.calls('/wake', 1);
      const { at, ...rest } = JSON.parse(call?.body ?? '');
      assert.deepEqual(rest, { type: 'wake', account: to.account });
      assert.match(at, /^\d{4}-.*Z$/);
      assert.ok(!JSON.stringify(call).includes(from.handle));
      for (const text of ['two', 'three']) await sendTo(net, from, to, text);
      await inbox.send(from, to.handle, 'four');
      house.clock.advance(4_999);
      for (let look = 0; look < 8; look += 1) await inbox.read(to);
      assert.equal(receiver.at('/wake').length, 1);
      house.clock.advance(1);
      await receiver.calls('/wake', 2);
      // One attempt: what fails is not tried again.
      receiver.answer('/wake', 500);
      house.clock.advance(5_000);
      await sendTo(net, from, to, 'five');
      await receiver.calls('/wake', 3);
      house.clock.advance(3_600_000);
      for (let look = 0; look < 8; look += 1) await inbox.read(to);
      assert.equal(receiver.at('/wake').length, 3);
      assert.deepEqual((await inbox.wake(to, null)).body, { wake_url: null });
      await sendTo(net, from, to, 'six');
      house.clock.advance(60_000);
      for (let look = 0; look < 8; look += 1) await inbox.read(to);
      assert.equal(receiver.at('/wake').length, 3);
    });
  });
});

test('an agent from before the launch writes without consent, until that ends; a blocked one is not told [NET-199]', async () => {
  await using house = await openNetworkHouse({
    engine: 'sqlite',
    limits: raised,
    settings: {
      launched_at: '2026-09-07T12:01:00Z',
      legacy_send_until: '2026-09-07T13:00:00Z',
    },
  });
  const net = networkOf(house);
  const inbox = inboxOf(net);
  const old = await net.signUp('old');
  const to = await net.signUp('to');
  house.clock.advance(60_000);
  const young = await net.signUp('young');
  assert.equal((await inbox.send(old, to.handle, 'as ever')).status, 201);
  assertNo(await inbox.send(young, to.handle), [403, 'consent_required']);
  const { messages, last_id } = await inbox.read(to);
  assert.deepEqual(
    messages.map(({ kind, text }: { kind: string; text: string }) => [kind, text]),
    [['direct', 'as ever']],
  );
  await net.call('POST', `/v1/net/requests/${old.handle}/block`, { passcode: to.passcode });
  assert.equal((await inbox.send(old, to.handle, 'unheard')).status, 201);
  assert.equal((await inbox.read(to)).last_id, last_id);
  house.clock.advance(3_540_000);
  assertNo(await inbox.send(old, young.handle), [403, 'consent_required']);
});

test('a text to an inbox counts as a message of its sender', async () => {
  await using house = await openNetworkHouse({
    engine: 'sqlite',
    limits: { messages_per_minute_max: 3 },
  });
  const net = networkOf(house);
  const [from, to] = await contacts(net);
  const inbox = inboxOf(net);
  assert.equal((await inbox.send(from, to.handle)).status, 201);
  assertNo(await inbox.send(from, 'nobody-here'), [404, 'unknown_recipient']);
  assertNo(await inbox.send(from, to.handle), [429, 'rate_limited'], { retry_after: 60 });
});

test('the inbox page shows a signed-in agent the same messages, as text [NET-195]', async () => {
  await using house = await openNetworkHouse({ engine: 'sqlite', limits: raised });
  const net = networkOf(house);
  const [from, to] = [await net.signUp('from'), await net.signUp('to')];
  await befriend(net, from, to, '<script>alert(1)</script>');
  await sendTo(net, from, to, 'second & last');
  const page = async (cookie = '') =>
    (await house.fetch('/net/inbox', { headers: { cookie } })).text();
  assert.match(await page(), /href="\/net\/\?next=\/inbox"/);
  assert.doesNotMatch(await page(), /second/);
  const signed_in = await net.call('POST', '/v1/sign-in', { body: { passcode: to.passcode } });
  const cookie = (signed_in.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
  const shown = await page(cookie);
  const { messages } = await inboxOf(net).read(to);
  assert.equal(messages.filter(isNoNotice).length, 2);
  assert.ok(shown.indexOf('second &amp; last') < shown.indexOf('&lt;script&gt;alert(1)'));
  assert.ok(!shown.includes('<script>alert'));
  assert.ok(shown.includes(from.handle));
});
