import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { forEachEngine } from '../../support/engines.ts';
import {
  assertNo,
  type NetworkApi,
  networkOf,
  openNetworkHouse,
} from '../../support/network-api.ts';
import { befriend, type Mail, mailOf, openMail } from '../../support/network-messages.ts';
import type { TestHouse } from '../../support/open-house.ts';

const day_s = 86_400;
const pending = [409, 'request_pending'] as const;

forEachEngine((engine) => {
  let house: TestHouse;
  let net: NetworkApi;
  before(async () => {
    house = await openNetworkHouse({ engine });
    net = networkOf(house);
  });
  after(() => house.close());

  const pass = (seconds: number) => house.clock.advance(seconds * 1_000);
  const nowText = () => new Date(house.clock.now()).toISOString();
  const open = async (...names: string[]) =>
    (await openMail(net, ...names)) as [Mail, Mail, ...Mail[]];
  const contactsOf = async (mail: Mail) => (await mail.get('/v1/net/contacts')).body;

  test('a first message is held as a request, seen by both sides, and in no queue or thread [NET-128] [NET-129] [NET-130] [NET-144]', async () => {
    const [asker, asked] = await open('Asker', 'Asked');
    const sent = await asker.send(asked.agent, { text: 'Hello?', ts: 'now', nonce: 'n' });
    assert.equal(sent.status, 202);
    const { id } = sent.body.request;
    assert.match(id, /^rq_[A-Za-z0-9_-]{22}$/);
    assert.deepEqual(sent.body, {
      status: 'request_sent',
      request: { id, to: asked.agent.address, status: 'pending', created_at: nowText() },
    });
    const { incoming, outgoing } = await asked.requests();
    assert.ok(incoming[0]);
    const { card, ...request } = incoming[0];
    assert.deepEqual([incoming.length, outgoing], [1, []]);
    assert.deepEqual(request, {
      id,
      status: 'pending',
      from: asker.agent.address,
      from_account: asker.agent.account,
      sender_kind: 'agent',
      trust: 'agent, passcode',
      message: {
        text: 'Hello?',
        signed: false,
        verified: false,
        ts: 'now',
        nonce: 'n',
        sig: null,
        signed_fields: null,
        sent_at: nowText(),
      },
      via: null,
      untrusted_content: true,
      created_at: nowText(),
    });
    assert.deepEqual(card, (await net.call('GET', `/v1/net/cards/${asker.agent.handle}`)).body);
    assert.deepEqual((await asker.requests()).outgoing, [
      {
        id,
        to: asked.agent.address,
        to_account: asked.agent.account,
        status: 'pending',
        via: null,
        created_at: nowText(),
        answered_at: null,
      },
    ]);
    for (const mail of [asker, asked]) {
      assert.deepEqual(await mail.queue(), []);
      assert.deepEqual((await mail.get('/v1/net/threads')).body.threads, []);
    }
    assert.equal((await asked.get('/v1/net/me')).body.pending_requests, 1);
    assert.equal((await asker.get('/v1/net/me')).body.pending_requests, 0);
  });

  test('while it is pending every further message is refused and not stored [NET-131]', async () => {
    const [asker, asked] = await open('Pusher', 'Pushed');
    await asker.send(asked.agent);
    assertNo(await asker.send(asked.agent, { text: 'again' }), pending);
    assertNo(await asker.introduce(asked.agent), pending);
    const { incoming } = await asked.requests();
    assert.deepEqual(
      incoming.map(({ message }) => (message as { text: string }).text),
      ['from pusher'],
    );
  });

  test('accepting makes both contacts and delivers what was held, unchanged [NET-126] [NET-127] [NET-132]', async () => {
    const [asker, asked] = await open('Accepted', 'Accepter');
    const text = 'e\u0301 \u0000 \ud83d\ude00';
    const { request } = (await asker.send(asked.agent, { text })).body;
    pass(1);
    const accepted = await asked.answer(request.id, 'accept');
    assert.equal(accepted.status, 200);
    const { message } = accepted.body;
    assert.deepEqual(accepted.body.request, {
      id: request.id,
      status: 'accepted',
      from: asker.agent.address,
      answered_at: nowText(),
    });
    assert.deepEqual(await asked.queue(), [message]);
    assert.deepEqual(
      [message.text, message.seq, message.sent_at, message.delivered_at],
      [text, 1, request.created_at, nowText()],
    );
    const [status] = (await asker.requests()).outgoing;
    assert.deepEqual([status?.status, status?.answered_at], ['accepted', nowText()]);
    assert.deepEqual((await asked.requests()).incoming, []);
    for (const [one, other] of [
      [asker, asked],
      [asked, asker],
    ] as const) {
      const { handle, address, account } = other.agent;
      const kind = 'agent';
      assert.deepEqual(await contactsOf(one), {
        contacts: [
          {
            handle,
            address,
            account,
            kind,
            display_name: handle === 'accepted' ? 'Accepted' : 'Accepter',
            since: nowText(),
          },
        ],
        blocks: [],
      });
      assert.equal((await one.send(other.agent)).status, 201);
    }
    const again = await asked.answer(request.id, 'accept');
    assert.deepEqual(again.body, accepted.body, 'it may be repeated');
    assert.equal((await asked.queue()).length, 2, 'and delivers nothing twice');
  });

  test('declining drops what was held, and the sender may ask again after seven days [NET-133] [NET-134]', async () => {
    const [asker, asked] = await open('Declined', 'Decliner');
    const { request } = (await asker.send(asked.agent, { text: 'dropped' })).body;
    const declined = await asked.answer(request.id, 'decline');
    assert.deepEqual(declined.body, {
      request: {
        id: request.id,
        status: 'declined',
        from: asker.agent.address,
        answered_at: nowText(),
      },
      message: null,
    });
    assert.equal((await asker.requests()).outgoing[0]?.status, 'declined');
    assert.deepEqual((await asked.requests()).incoming, []);
    assert.deepEqual(await asked.queue(), []);
    assertNo(await asker.send(asked.agent), [409, 'request_declined'], {
      retry_after: 7 * day_s,
    });
    assertNo(await asker.introduce(asked.agent), [409, 'request_declined'], {
      retry_after: 7 * day_s,
    });
    assert.equal((await asked.send(asker.agent)).status, 202, 'the other side may ask');
    pass(7 * day_s - 1);
    assertNo(await asker.send(asked.agent), [409, 'request_declined'], { retry_after: 1 });
    pass(1);
    assert.equal((await asker.send(asked.agent)).status, 202);
  });

  test('a request is answered once; the same answer may be repeated, another is refused [NET-138]', async () => {
    const [one, other, third] = await open('Once', 'Twice', 'Thrice');
    const first = (await one.send(other.agent)).body.request.id;
    await other.answer(first, 'decline');
    assert.equal((await other.answer(first, 'decline')).status, 200);
    for (const how of ['accept', 'block'] as const) {
      assertNo(await other.answer(first, how), [409, 'request_answered']);
    }
    const second = (await other.send(one.agent)).body.request.id;
    await one.answer(second, 'accept');
    assertNo(await one.answer(second, 'decline'), [409, 'request_answered']);
    const blocked = (await (third as Mail).send(one.agent)).body.request.id;
    assert.equal((await one.answer(blocked, 'block')).status, 200);
    assert.equal((await one.answer(blocked, 'block')).status, 200);
    for (const how of ['accept', 'decline'] as const) {
      assertNo(await one.answer(blocked, how), [409, 'request_answered']);
      assertNo(await (third as Mail).answer(blocked, how), [404, 'unknown_request']);
    }
    for (const id of ['rq_nothing', 'nobody-here', 'x@other.example', 'once@localhost@x', second]) {
      for (const how of ['accept', 'decline', 'block'] as const) {
        assertNo(await other.answer(id, how), [404, 'unknown_request']);
      }
    }
    assert.deepEqual((await contactsOf(other)).blocks, []);
  });

  test('a request is named by its sender too, and anybody may be blocked by handle [NET-135] [NET-136]', async () => {
    const [one, other, third] = (await open('Named', 'Namer', 'Unasked')) as [Mail, Mail, Mail];
    await one.send(other.agent);
    const accepted = await other.answer(one.agent.address.toUpperCase(), 'accept');
    assert.equal(accepted.body.message.text, 'from named');
    assertNo(await other.answer(one.agent.handle, 'accept'), [404, 'unknown_request']);
    const { account } = one.agent;
    const blocked = await other.answer(one.agent.handle, 'block');
    assert.deepEqual([blocked.status, blocked.body], [200, { blocked: true, account }]);
    assert.deepEqual((await contactsOf(other)).contacts, [], 'a contact may be blocked');
    await other.answer(third.agent.handle, 'block');
    const { handle, address } = third.agent;
    assert.deepEqual((await contactsOf(other)).blocks, [
      { ...pick(one.agent), kind: 'agent', since: nowText() },
      { handle, address, account: third.agent.account, kind: 'agent', since: nowText() },
    ]);
    assertNo(await other.answer(other.agent.handle, 'block'), [404, 'unknown_request']);
  });

  const pick = ({ handle, address, account }: Mail['agent']) => ({ handle, address, account });

  test('requests that cross are accepted together, and both held messages delivered [NET-137]', async () => {
    const [one, other] = await open('Crosser', 'Crossing');
    await one.send(other.agent, { text: 'one' });
    const { request } = (await other.send(one.agent, { text: 'other' })).body;
    const accepted = await one.answer(request.id, 'accept');
    assert.equal(accepted.body.message.text, 'other');
    assert.deepEqual(
      (await one.queue()).map(({ text }) => text),
      ['other'],
    );
    assert.deepEqual(
      (await other.queue()).map(({ text }) => text),
      ['one'],
    );
    for (const mail of [one, other]) {
      const { incoming, outgoing } = await mail.requests();
      assert.deepEqual([incoming.length, outgoing[0]?.status], [0, 'accepted']);
      const { threads } = (await mail.get('/v1/net/threads')).body;
      assert.deepEqual([threads.length, threads[0].message_count], [1, 2]);
    }
  });

  test('of parallel answers to one request exactly one takes effect [NET-139]', async () => {
    for (const index of [1, 2, 3]) {
      const [one, other] = await open(`Racer ${index}`, `Raced ${index}`);
      const { id } = (await one.send(other.agent)).body.request;
      const ways = ['accept', 'decline', 'accept', 'decline'] as const;
      const replies = await Promise.all(ways.map((how) => other.answer(id, how)));
      const done = ways.filter((_, at) => replies[at]?.status === 200);
      assert.equal(new Set(done).size, 1, 'answers of one kind alone took effect');
      const status = done[0] === 'accept' ? 'accepted' : 'declined';
      assert.equal((await one.requests()).outgoing[0]?.status, status);
      assert.equal((await other.queue()).length, status === 'accepted' ? 1 : 0);
      assert.equal((await contactsOf(one)).contacts.length, status === 'accepted' ? 1 : 0);
    }
  });

  test('removing a contact ends it for both, and the next message either way is a request [NET-140]', async () => {
    const [one, other] = await open('Remover', 'Removed');
    await befriend(one, other);
    const path = `/v1/net/contacts/${other.agent.address}/remove`;
    assert.deepEqual((await one.post(path)).body, { removed: true });
    assert.deepEqual((await one.post(path)).body, { removed: false });
    for (const mail of [one, other]) assert.deepEqual((await contactsOf(mail)).contacts, []);
    assert.equal((await one.send(other.agent)).status, 202);
    assert.equal((await other.send(one.agent)).status, 202);
    assertNo(await one.post('/v1/net/contacts/nobody-here/remove'), [404, 'unknown_recipient']);
  });

  test('a decline does not outlive a contact that came after it [NET-140]', async () => {
    const [one, other] = await open('Forgiven', 'Forgiver');
    const { id } = (await one.send(other.agent)).body.request;
    await other.answer(id, 'decline');
    await befriend(other, one);
    await other.post(`/v1/net/contacts/${one.agent.handle}/remove`);
    assert.equal((await one.send(other.agent)).status, 202);
  });

  test('the operator writes to agents without asking, and is asked like anybody [NET-144] [NET-145]', async () => {
    const [agent, blocker] = await open('Told', 'Not Told');
    const passcode = await house.command('network', 'passcode', { handle: 'leora' });
    const me = (await net.call('GET', '/v1/net/me', { passcode })).body;
    const operator = mailOf(net, { ...me, passcode });
    const sent = await operator.send(agent.agent, { text: 'news' });
    assert.deepEqual([sent.status, sent.body.status], [201, 'delivered']);
    assert.deepEqual(
      (await agent.queue()).map(({ text }) => text),
      ['news'],
    );
    assert.deepEqual((await contactsOf(agent)).contacts, [], 'that makes no contact');
    assert.equal((await agent.send(operator.agent)).status, 202);
    await blocker.answer('leora', 'block');
    assert.equal((await operator.send(blocker.agent)).status, 202);
    assertNo(await operator.send(blocker.agent), pending);
    assert.deepEqual(await blocker.queue(), []);
  });
});
