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

const minute_ms = 60_000;
const limits = { messages_per_minute_max: 100 };

forEachEngine((engine) => {
  let house: TestHouse;
  let net: NetworkApi;
  before(async () => {
    house = await openNetworkHouse({ engine, limits });
    net = networkOf(house);
  });
  after(() => house.close());

  /** A thread as its reader pages through it, so many at a time, the oldest first. */
  async function readThread({ get }: Mail, thread: string, limit: number) {
    const messages: { id: string; text: string; seq: number | null }[] = [];
    let before_id = '';
    for (;;) {
      const { body } = await get(`/v1/net/threads/${thread}?limit=${limit}${before_id}`);
      messages.unshift(...body.messages);
      if (!body.more) return { thread: body.thread, messages };
      before_id = `&before=${messages[0]?.id}`;
    }
  }

  test('messages of one batch follow each other in their thread, beside those that are refused [NET-162] [NET-200] [NET-202]', async () => {
    const [one, other] = (await openMail(net, 'Batch', 'Batch Two')) as [Mail, Mail];
    const { thread } = await befriend(one, other);
    house.clock.advance(minute_ms);
    // Of every four sends two pass, one is refused and counts, and one is undone once the minute is full.
    const sends = Array.from({ length: 120 }, (_, index) => {
      const text = `${index}`;
      if (index % 4 === 1) return one.send('nobody-at-all', { text });
      return index % 4 === 3
        ? other.send(one.agent, { text })
        : one.send(other.agent, { text, ...(index % 4 === 2 ? { thread } : {}) });
    });
    const answers = await Promise.all(sends);
    const more = await Promise.all(
      Array.from({ length: 40 }, (_, index) => one.send(other.agent, { text: `more ${index}` })),
    );
    const passed = [...answers, ...more].filter(({ status }) => status === 201);
    const by_one = passed.filter(({ body }) => body.message.from === one.agent.address);
    assert.equal(more.filter(({ status }) => status === 429).length, 30);
    assert.equal(by_one.length, 70, 'thirty refused ones count, too');
    const sent_ids = passed.map(({ body }) => body.message.id);
    for (const [mail, is_unread] of [
      [one, 30],
      [other, 71],
    ] as const) {
      const whole = await readThread(mail, thread, 200);
      assert.deepEqual(await readThread(mail, thread, 7), whole);
      assert.equal(whole.thread.message_count, 101);
      assert.equal(whole.thread.unread, is_unread);
      assert.deepEqual(
        whole.messages
          .map(({ id }) => id)
          .slice(1)
          .toSorted(),
        sent_ids.toSorted(),
      );
      const received = whole.messages.flatMap(({ seq }) => (seq === null ? [] : [seq]));
      assert.deepEqual(
        received,
        received.map((_, index) => index + 1),
      );
    }
  });

  test('a thread that a batch makes has its messages once, whoever makes it [NET-200]', async () => {
    const [one, other, third] = (await openMail(net, 'New', 'New Two', 'New Three')) as [
      Mail,
      Mail,
      Mail,
    ];
    const [asked, crossing] = await Promise.all([one.send(other.agent), other.send(one.agent)]);
    const apart = await third.send(one.agent);
    const answers = await Promise.all([
      other.answer(asked.body.request.id, 'accept'),
      one.answer(crossing.body.request.id, 'accept'),
      one.answer(apart.body.request.id, 'decline'),
      one.send(other.agent, { text: 'at once' }),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, answers[3]?.status],
    );
    assertNo(await third.send(one.agent), [409, 'request_declined'], {
      retry_after: 604_800,
    });
    const { body } = await one.get('/v1/net/threads');
    assert.equal(body.threads.length, 1);
    const { messages, thread } = await readThread(one, body.threads[0].id, 200);
    const is_sent = answers[3]?.status === 201;
    assert.equal(messages.length, is_sent ? 3 : 2);
    assert.equal(thread.message_count, messages.length);
  });

  test('what a unit of work settles, the next one of its batch goes by [NET-135] [NET-140] [NET-125]', async () => {
    const [one, other] = (await openMail(net, 'Within', 'Within Two')) as [Mail, Mail];
    await befriend(one, other);
    const inTurn = async (change: () => Promise<unknown>) =>
      (await Promise.all([one.send(other.agent), change(), one.send(other.agent)])).at(-1);
    const settings = (require_signed: boolean) =>
      other.post('/v1/net/settings', { require_signed });
    assert.equal((await one.send(other.agent)).status, 201);
    await inTurn(() => settings(true));
    assertNo(await one.send(other.agent), [403, 'signature_required']);
    await inTurn(() => settings(false));
    assert.equal((await one.send(other.agent)).status, 201);
    await inTurn(() => other.post(`/v1/net/contacts/${one.agent.handle}/remove`, {}));
    const { incoming } = await other.requests();
    if (incoming.length === 0) assert.equal((await one.send(other.agent)).status, 202);
    else assertNo(await one.send(other.agent), [409, 'request_pending']);
    await inTurn(() => one.post(`/v1/net/requests/${other.agent.handle}/block`, {}));
    assertNo(await one.send(other.agent), [409, 'blocked_by_you']);
  });
});

test('what another process has changed counts at once [NET-140] [NET-125] [NET-161]', async () => {
  await using first = await openNetworkHouse({ engine: 'postgres', limits });
  await using second = await openNetworkHouse({ engine: 'postgres', limits, beside: first });
  const [one, other] = (await openMail(networkOf(first), 'Here', 'There')) as [Mail, Mail];
  await befriend(one, other);
  const elsewhere = mailOf(networkOf(second), other.agent);
  const away = mailOf(networkOf(second), one.agent);
  // Both know what the two are to each other.
  assert.equal((await one.send(other.agent)).status, 201);
  assert.equal((await elsewhere.send(one.agent)).status, 201);
  await elsewhere.post('/v1/net/settings', { require_signed: true });
  assertNo(await one.send(other.agent), [403, 'signature_required']);
  await elsewhere.post('/v1/net/settings', { require_signed: false });
  const turns = await Promise.all(
    Array.from({ length: 40 }, (_, index) => (index % 2 ? one : away).send(other.agent)),
  );
  assert.ok(turns.every(({ status }) => status === 201));
  const queue = await elsewhere.queue();
  assert.deepEqual(
    queue.map(({ seq }) => seq),
    queue.map((_, index) => index + 1),
  );
  const { body } = await one.get(`/v1/net/threads/${queue[0]?.thread}?limit=200`);
  assert.equal(body.messages.length, 43);
  assert.equal(body.thread.message_count, 43);
  // 43 sends have counted: the request, two, and the forty of both processes; one of them was refused.
  const more = await Promise.all(
    Array.from({ length: 60 }, (_, index) => (index % 2 ? one : away).send(other.agent)),
  );
  assert.equal(more.filter(({ status }) => status === 201).length, 100 - 43);
  first.clock.advance(minute_ms);
  await elsewhere.post(`/v1/net/contacts/${one.agent.handle}/remove`, {});
  assert.equal((await one.send(other.agent)).status, 202);
});
