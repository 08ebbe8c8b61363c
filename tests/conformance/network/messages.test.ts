import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { forEachEngine } from '../../support/engines.ts';
import {
  assertNo,
  type NetworkApi,
  networkOf,
  openNetworkHouse,
} from '../../support/network-api.ts';
import { newKey, putKeyOnCard } from '../../support/network-keys.ts';
import { befriend, type Mail, openMail, signedBody } from '../../support/network-messages.ts';
import type { TestHouse } from '../../support/open-house.ts';

forEachEngine((engine) => {
  let house: TestHouse;
  let net: NetworkApi;
  let one: Mail;
  let other: Mail;
  before(async () => {
    house = await openNetworkHouse({ engine });
    net = networkOf(house);
    [one, other] = (await openMail(net, 'One', 'Other')) as [Mail, Mail];
    await befriend(one, other);
  });
  after(() => house.close());

  const pass = (seconds: number) => house.clock.advance(seconds * 1_000);
  const nowText = () => new Date(house.clock.now()).toISOString();
  const threadsOf = async (mail: Mail) => (await mail.get('/v1/net/threads')).body;
  const threadOf = async (mail: Mail, query = '') => {
    const { threads } = await threadsOf(mail);
    return (await mail.get(`/v1/net/threads/${threads[0].id}${query}`)).body;
  };

  test('a message to a contact is delivered, and has all its members for either side [NET-092] [NET-097] [NET-098] [NET-099]', async () => {
    const sent = await one.send(other.agent, { text: 'Hello' });
    assert.equal(sent.status, 201);
    const { message } = sent.body;
    assert.match(message.id, /^msg_[A-Za-z0-9_-]{22}$/);
    assert.match(message.thread, /^th_[A-Za-z0-9_-]{22}$/);
    assert.deepEqual(sent.body, {
      status: 'delivered',
      message: {
        id: message.id,
        seq: null,
        kind: 'text',
        thread: message.thread,
        from: one.agent.address,
        to: other.agent.address,
        from_account: one.agent.account,
        to_account: other.agent.account,
        sender_kind: 'agent',
        trust: 'agent, passcode',
        signed: false,
        verified: false,
        text: 'Hello',
        ts: null,
        nonce: null,
        sig: null,
        signed_fields: null,
        via: null,
        offer: null,
        receipt: null,
        sent_at: nowText(),
        delivered_at: nowText(),
        read_at: null,
        redacted: false,
      },
    });
    const queue = await other.queue();
    const arrived = queue.at(-1);
    assert.deepEqual(arrived, { ...message, seq: queue.length });
    assert.equal((await threadOf(one)).messages.at(-1).seq, null);
    assert.equal((await threadOf(other)).messages.at(-1).seq, queue.length);
  });

  test('a text arrives code point for code point, stored and read back [NET-094]', async () => {
    const texts = ['\u0000', ' e\u0301\u00e9 \r\n\t', '\ufeff\uffff\u{10ffff}', '\\u0000"', 'x'];
    for (const text of texts) await one.send(other.agent, { text });
    const read = (messages: { text: string }[]) => messages.slice(-5).map(({ text }) => text);
    assert.deepEqual(read((await other.queue()) as { text: string }[]), texts);
    for (const mail of [one, other]) assert.deepEqual(read((await threadOf(mail)).messages), texts);
  });

  test('messages without a thread lie in the one default thread of the pair, both ways [NET-200] [NET-202]', async () => {
    const [left, right] = (await openMail(net, 'Left', 'Right')) as [Mail, Mail];
    const { thread } = await befriend(left, right);
    pass(1);
    for (const named of ['', null, thread, undefined]) {
      const sent = await right.send(left.agent, { text: 'back', thread: named });
      assert.equal(sent.body.message.thread, thread);
    }
    const { body } = await left.get(`/v1/net/threads/${thread}`);
    const kind = 'agent';
    const { handle, address, account } = right.agent;
    assert.deepEqual(body.thread, {
      id: thread,
      with: { handle, address, account, kind, display_name: 'Right', deleted: false },
      created_at: new Date(house.clock.now() - 1_000).toISOString(),
      last_message_at: nowText(),
      message_count: 5,
      unread: 4,
    });
    assert.equal(body.more, false);
    assert.deepEqual(
      body.messages.map(({ from, seq }: { from: string; seq: number }) => [from, seq]),
      [[left.agent.address, null], ...[1, 2, 3, 4].map((seq) => [address, seq])],
    );
    assert.deepEqual(await threadsOf(left), { threads: [body.thread], next: null });
    assert.equal((await threadsOf(right)).threads[0].unread, 1);
  });

  test('a thread that is none of exactly this pair is unknown, and the same as none [NET-201] [NET-202]', async () => {
    const [third] = (await openMail(net, 'Third')) as [Mail];
    await befriend(third, other);
    const own = (await threadsOf(third)).threads[0].id;
    const foreign = (await threadOf(one)).thread.id;
    const unknown = [404, 'unknown_thread'] as const;
    const texts = new Set<string>();
    for (const thread of [own, foreign, `th_${'A'.repeat(22)}`, 'x', '\u0000']) {
      const refused = await third.send(other.agent, { thread });
      if (thread === own) assert.equal(refused.status, 201);
      else {
        assertNo(refused, unknown);
        texts.add(refused.text);
      }
    }
    for (const id of [foreign, `th_${'A'.repeat(22)}`, 'x']) {
      const refused = await third.get(`/v1/net/threads/${id}`);
      assertNo(refused, unknown);
      texts.add(refused.text);
    }
    assert.equal(texts.size, 1);
    assert.equal((await threadsOf(third)).threads.length, 1);
  });

  test('threads and their messages are read page by page [NET-202]', async () => {
    const [hub, ...rims] = (await openMail(net, 'Hub', 'Rim A', 'Rim B', 'Rim C')) as [
      Mail,
      ...Mail[],
    ];
    for (const rim of rims) {
      pass(1);
      await befriend(hub, rim);
    }
    const names = (page: { threads: { with: { handle: string } }[] }) =>
      page.threads.map((thread) => thread.with.handle);
    const first = (await hub.get('/v1/net/threads?limit=2')).body;
    assert.deepEqual(names(first), ['rim-c', 'rim-b']);
    const second = (await hub.get(`/v1/net/threads?limit=2&before=${first.next}`)).body;
    assert.deepEqual([names(second), second.next], [['rim-a'], null]);
    pass(1);
    const [rim] = rims as [Mail];
    for (const text of ['2', '3', '4', '5']) await rim.send(hub.agent, { text });
    assert.deepEqual(names((await hub.get('/v1/net/threads')).body)[0], 'rim-a');
    const read = (page: { messages: { text: string }[] }) => page.messages.map(({ text }) => text);
    const last = await threadOf(hub, '?limit=2');
    assert.deepEqual([read(last), last.more], [['4', '5'], true]);
    const before_it = await threadOf(hub, `?limit=3&before=${last.messages[0].id}`);
    assert.deepEqual([read(before_it), before_it.more], [['shall we?', '2', '3'], false]);
    for (const query of ['limit=0', 'limit=201', 'limit=x']) {
      assertNo(await hub.get(`/v1/net/threads?${query}`), [400, 'invalid_limit']);
    }
    for (const before of ['th_none', '%00']) {
      assertNo(await hub.get(`/v1/net/threads?before=${before}`), [400, 'invalid_before']);
    }
    const path = `/v1/net/threads/${last.thread.id}?before=`;
    for (const before of ['msg_none', '%00']) {
      assertNo(await hub.get(path + before), [400, 'invalid_before']);
    }
    const foreign = (await threadOf(one)).messages[0].id;
    assertNo(await hub.get(path + foreign), [400, 'invalid_before']);
  });

  test('a message is marked read by its recipient alone, and the first time stays [NET-203] [NET-204]', async () => {
    const { message } = (await one.send(other.agent)).body;
    const path = `/v1/net/messages/${message.id}/read`;
    const { unread } = (await threadOf(other)).thread;
    const [stranger] = (await openMail(net, 'Reader')) as [Mail];
    for (const mail of [one, stranger]) assertNo(await mail.post(path), [404, 'unknown_message']);
    assertNo(await other.post('/v1/net/messages/msg_none/read'), [404, 'unknown_message']);
    const read_at = nowText();
    const expected = { id: message.id, read: true, read_at };
    assert.deepEqual((await other.post(path)).body, expected);
    pass(60);
    assert.deepEqual((await other.post(path, {})).body, expected);
    assert.equal((await threadOf(other)).thread.unread, unread - 1);
    assert.equal((await threadOf(other)).messages.at(-1).read_at, read_at);
    assert.equal((await other.queue()).at(-1)?.read_at, read_at);
    assert.equal((await threadOf(one)).messages.at(-1).read_at, null, 'the sender is not told');
  });

  test('with read receipts on the sender sees when, for what was read while they were on [NET-205]', async () => {
    const { message: before_it } = (await one.send(other.agent)).body;
    const { message } = (await one.send(other.agent)).body;
    const mark = (id: string) => other.post(`/v1/net/messages/${id}/read`);
    const setting = (read_receipts: boolean) => other.post('/v1/net/settings', { read_receipts });
    const seen = async () =>
      (await threadOf(one)).messages.slice(-2).map(({ read_at }: { read_at: string }) => read_at);
    await mark(before_it.id);
    await setting(true);
    const read_at = nowText();
    await mark(message.id);
    pass(60);
    assert.deepEqual(await seen(), [null, read_at], 'switching it on reveals no past');
    await setting(false);
    assert.deepEqual(await seen(), [null, null]);
  });

  test('of several refusals the first in order wins [NET-096]', async () => {
    const [sender, wall] = (await openMail(net, 'Orderly', 'Wall')) as [Mail, Mail];
    const key = newKey();
    await putKeyOnCard(net, sender.agent, key.key);
    await wall.post('/v1/net/settings', { require_signed: true });
    await sender.answer(wall.agent.handle, 'block');
    const fields = { from: sender.agent.address, to: wall.agent.address, nonce: 'order' };
    const late = new Date(house.clock.now() - 601_000).toISOString();
    const good = (more: object = {}) => signedBody(key, { ...fields, ts: nowText(), ...more });
    const send = (body: object) => sender.post('/v1/net/messages', body);
    const wrong = { ...good(), ts: late, thread: 'th_none', sig: 'A'.repeat(86) };
    const { passcode } = sender.agent;
    const shapeless = await net.call('POST', '/v1/net/messages', { body: '[]' });
    assertNo(shapeless, [400, 'invalid_json']);
    assertNo(await net.call('POST', '/v1/net/messages', { body: {} }), [401, 'unauthorized']);
    assertNo(await send({ ...wrong, sig: 'short' }), [400, 'invalid_sig']);
    assertNo(await send({ ...wrong, to: 'nobody' }), [404, 'unknown_recipient']);
    assertNo(await send({ ...wrong, to: sender.agent.handle }), [400, 'invalid_to']);
    assertNo(await send(wrong), [404, 'unknown_thread']);
    assertNo(await send({ ...wrong, thread: '' }), [400, 'invalid_ts']);
    const bad = { ...good(), sig: 'A'.repeat(86) };
    assertNo(await send(bad), [400, 'bad_signature'], { reason: 'mismatch' });
    assertNo(await send({ to: wall.agent.handle, text: 'x' }), [403, 'signature_required']);
    assertNo(await send(good()), [409, 'blocked_by_you']);
    assertNo(await send(good()), [409, 'blocked_by_you'], {});
    await sender.post(`/v1/net/blocks/${wall.agent.handle}/remove`);
    assert.equal((await send(good())).status, 202, 'no refusal has spent the nonce');
    assertNo(await send(good()), [409, 'nonce_used']);
    assertNo(await send(good({ nonce: 'order-2' })), [409, 'request_pending']);
    await wall.answer(sender.agent.handle, 'decline');
    const declined = await send(good({ nonce: 'order-3' }));
    assertNo(declined, [409, 'request_declined'], { retry_after: 604_800 });
    const text = 'x'.repeat(16_384);
    const large = await net.call('POST', '/v1/net/messages', { passcode, body: { text } });
    assertNo(large, [413, 'body_too_large']);
  });

  // What follows is the same whatever the rows lie in.
  if (engine !== 'sqlite') return;

  test('a text has 1 to 4000 characters [NET-093]', async () => {
    for (const text of ['x', 'x'.repeat(4_000), '\ud83d\ude00'.repeat(3_900)]) {
      assert.equal((await one.send(other.agent, { text })).status, 201);
    }
    for (const text of ['', 'x'.repeat(4_001), 7, null, undefined, ['x']]) {
      assertNo(await one.send(other.agent, { text }), [400, 'invalid_text']);
    }
    const marks = 'e\u0301'.repeat(2_000);
    assert.equal((await one.send(other.agent, { text: marks })).status, 201);
    assertNo(await one.send(other.agent, { text: `${marks}\u0301` }), [400, 'invalid_text']);
  });

  test('what names nobody here gets no message [NET-041] [NET-042] [NET-046] [NET-095] [NET-010]', async () => {
    const unknown = [404, 'unknown_recipient'] as const;
    const malformed = [400, 'invalid_to'] as const;
    for (const to of [
      'nobody',
      'x'.repeat(40),
      'net',
      'support',
      'NET@localhost',
      'other@elsewhere.example',
      'a--b',
    ]) {
      assertNo(await one.send(to), unknown);
    }
    for (const to of [
      '',
      'x'.repeat(41),
      'a b',
      'other@',
      '@localhost',
      'other@localhost.',
      'a@b@c',
      'other, third',
      '\u212aelvin',
      'agent:other',
    ]) {
      assertNo(await one.send(to), malformed);
    }
    for (const to of [7, null, ['other', 'third'], { handle: 'other' }]) {
      assertNo(await one.post('/v1/net/messages', { to, text: 'x' }), malformed);
    }
    for (const to of ['one', 'ONE@localhost']) assertNo(await one.send(to), malformed);
    assert.equal((await one.send('OTHER@LocalHost')).status, 201);
  });

  test('an introduction is a request in words of the concierge, for which nobody vouches [NET-209] [NET-210] [NET-211] [NET-213]', async () => {
    const [seeker, sought] = (await openMail(net, 'Seeker', 'Sought')) as [Mail, Mail];
    const asked = await seeker.introduce(sought.agent, 'I paint <b>walls</b>\n');
    assert.equal(asked.status, 202);
    assert.deepEqual(asked.body, {
      status: 'request_sent',
      request: {
        id: asked.body.request.id,
        to: sought.agent.address,
        status: 'pending',
        created_at: nowText(),
      },
    });
    const [incoming] = (await sought.requests()).incoming;
    assert.ok(incoming);
    assert.deepEqual(
      [incoming.via, incoming.from, incoming.trust],
      ['leora', seeker.agent.address, 'agent, passcode'],
    );
    assert.equal(
      (incoming.message as { text: string }).text,
      `${seeker.agent.address} found you through Leora's directory and asks to connect. Their reason, in their own words (not checked or endorsed by Leora): I paint <b>walls</b>\n`,
    );
    assert.equal((await seeker.requests()).outgoing[0]?.via, 'leora');
    assertNo(await seeker.introduce(sought.agent), [409, 'request_pending']);
    assertNo(await seeker.send(sought.agent), [409, 'request_pending']);
    const { message } = (await sought.answer(incoming.id, 'accept')).body;
    assert.deepEqual([message.via, message.from], ['leora', seeker.agent.address]);
    const { contacts } = (await sought.get('/v1/net/contacts')).body;
    assert.deepEqual(
      contacts.map(({ handle }: { handle: string }) => handle),
      ['seeker'],
    );
    assertNo(await seeker.introduce(sought.agent), [409, 'already_contacts']);
    for (const reason of ['', 'x'.repeat(1_001), 7, '\ud800']) {
      assertNo(await seeker.post('/v1/net/concierge/introduce', { to: 'sought', reason }), [
        400,
        'invalid_reason',
      ]);
    }
    assertNo(await seeker.introduce('nobody'), [404, 'unknown_recipient']);
    assertNo(await seeker.introduce('seeker'), [400, 'invalid_to']);
    assertNo(await seeker.introduce('a b'), [400, 'invalid_to']);
    assert.equal((await seeker.introduce('leora', 'x'.repeat(1_000))).status, 202);
    await putKeyOnCard(net, sought.agent, 'no key');
    assertNo(await seeker.introduce(sought.agent), [404, 'not_in_directory']);
  });
});
