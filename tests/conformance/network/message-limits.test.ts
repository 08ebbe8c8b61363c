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

const minute_s = 60;
const day_s = 86_400;
const limited = [429, 'rate_limited'] as const;

/** The limits of the protocol; that of sign-ups would be in the way. */
const limits = {
  messages_per_minute_max: 30,
  messages_per_day_max: 500,
  requests_per_day_max: 10,
  agent_requests_per_day_max: 100,
};

forEachEngine((engine) => {
  let house: TestHouse;
  let net: NetworkApi;
  before(async () => {
    house = await openNetworkHouse({ engine, limits });
    net = networkOf(house);
  });
  after(() => house.close());

  const pass = (seconds: number) => house.clock.advance(seconds * 1_000);

  /** Sends so many messages that must all be delivered. */
  async function deliver(from: Mail, to: Mail, count: number): Promise<void> {
    const sent = await Promise.all(Array.from({ length: count }, () => from.send(to.agent)));
    for (const { status, text } of sent) assert.equal(status, 201, text);
  }

  test('the 30th message within a minute passes and the 31st waits, whatever the house does meanwhile [NET-156] [NET-160] [NET-161]', async () => {
    const [one, other] = (await openMail(net, 'Minute', 'Minute Two')) as [Mail, Mail];
    await befriend(one, other);
    pass(minute_s);
    await deliver(one, other, 10);
    pass(20);
    await deliver(one, other, 20);
    assertNo(await one.send(other.agent), limited, { retry_after: 40 });
    assertNo(await one.send('nobody'), limited, { retry_after: 40 });
    assertNo(await one.introduce(other.agent), limited, { retry_after: 40 });
    assert.equal((await other.send(one.agent)).status, 201, 'limits are of one sender');
    pass(39);
    assertNo(await one.send(other.agent), limited, { retry_after: 1 });
    pass(1);
    await deliver(one, other, 10);
    assertNo(await one.send(other.agent), limited, { retry_after: 20 });
    assert.equal((await other.queue()).length, 41, 'nothing refused was delivered');
    const more = await Promise.all(Array.from({ length: 40 }, () => other.send(one.agent)));
    const passed = more.filter(({ status }) => status === 201);
    assert.equal(passed.length, 29, 'nor is there one too many of parallel ones');
  });

  test('the 500th message within a day passes and the 501st waits, over a restart [NET-157] [NET-160] [NET-161]', async () => {
    const [one, other] = (await openMail(net, 'Day', 'Day Two')) as [Mail, Mail];
    await befriend(one, other);
    const first_at = house.clock.now();
    for (let count = 1; count < 500; ) {
      pass(minute_s);
      const some = Math.min(30, 500 - count);
      await deliver(one, other, some);
      count += some;
    }
    pass(minute_s);
    await house.restart();
    const retry_after = day_s - (house.clock.now() - first_at) / 1_000;
    assertNo(await one.send(other.agent), limited, { retry_after });
    pass(retry_after - 1);
    assertNo(await one.send(other.agent), limited, { retry_after: 1 });
    pass(1);
    await deliver(one, other, 1);
  });

  test('the 10th new request of a day passes and the 11th waits; messages to contacts pass [NET-158] [NET-160] [NET-161] [NET-212]', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `Asked ${index}`);
    const [one, friend, ...others] = (await openMail(net, 'Asking', 'Friend', ...names)) as [
      Mail,
      Mail,
      ...Mail[],
    ];
    await befriend(friend, one);
    for (const [index, to] of others.slice(0, 10).entries()) {
      pass(1);
      const asked = await (index % 2 ? one.introduce(to.agent) : one.send(to.agent));
      assert.equal(asked.status, 202, asked.text);
    }
    const [, , , , , , , , , , eleventh, twelfth] = others as Mail[];
    assert.ok(eleventh && twelfth);
    const retry_after = day_s - 9;
    await house.restart();
    assertNo(await one.send(eleventh.agent), limited, { retry_after });
    assertNo(await one.introduce(eleventh.agent), limited, { retry_after });
    assert.equal((await one.send(friend.agent)).status, 201);
    pass(retry_after - 1);
    assertNo(await one.send(eleventh.agent), limited, { retry_after: 1 });
    pass(1);
    const both = await Promise.all([one.send(eleventh.agent), one.send(twelfth.agent)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [202, 429]);
    assert.deepEqual((await eleventh.requests()).incoming.length, Number(both[0]?.status === 202));
  });

  if (engine !== 'postgres') return;

  test('limits count what other processes of the house have let pass [NET-161]', async () => {
    const [one, other] = (await openMail(net, 'Process', 'Process Two')) as [Mail, Mail];
    await befriend(one, other);
    await using beside = await openNetworkHouse({ engine, limits, beside: house });
    const there = mailOf(networkOf(beside), one.agent);
    pass(minute_s);
    const sent = await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 2 ? one : there).send(other.agent)),
    );
    assert.equal(sent.filter(({ status }) => status === 201).length, 30);
    assertNo(await there.send(other.agent), limited, { retry_after: 60 });
  });
});

test('the 100th new request to one agent within a day passes and the 101st is told that it is busy, blocked or not [NET-159] [NET-151]', async () => {
  const busy = [429, 'recipient_busy'] as const;
  await using house = await openNetworkHouse({
    engine: 'sqlite',
    limits: { agent_requests_per_day_max: 100 },
  });
  const net = networkOf(house);
  const names = Array.from({ length: 103 }, (_, index) => `Fan ${index}`);
  const [star, ...fans] = (await openMail(net, 'Star', ...names)) as [Mail, ...Mail[]];
  const [blocked] = fans as [Mail];
  await star.answer(blocked.agent.handle, 'block');
  const [first, ...rest] = fans.slice(0, 100) as [Mail, ...Mail[]];
  const asked = await first.send(star.agent);
  house.clock.advance(1_000);
  await Promise.all(rest.map((fan) => fan.send(star.agent)));
  assert.equal(asked.status, 202, 'what a blocked account asks counts like any other');
  assert.equal((await star.requests()).incoming.length, 99);
  const [late, later] = fans.slice(100) as [Mail, Mail];
  assertNo(await late.send(star.agent), busy);
  assertNo(await late.introduce(star.agent), busy);
  await star.answer(later.agent.handle, 'block');
  assertNo(await later.send(star.agent), busy);
  assert.equal((await late.send(later.agent)).status, 202, 'what was refused costs no request');
  assert.equal((await star.send(late.agent)).status, 202);
  house.clock.advance((day_s - 1) * 1_000);
  assert.equal((await late.send(star.agent)).status, 202);
  assertNo(await later.send(star.agent), busy);
});

test('what a send costs: everything past its form, but what a limit or the key refuses [NET-156]', async () => {
  await using house = await openNetworkHouse({
    engine: 'sqlite',
    limits: { ...limits, messages_per_minute_max: 9, requests_per_day_max: 1 },
  });
  const net = networkOf(house);
  const [one, other, third] = (await openMail(net, 'Cost', 'Other', 'Third')) as [Mail, Mail, Mail];
  const signed = {
    ts: new Date(house.clock.now()).toISOString(),
    nonce: 'n',
    sig: 'A'.repeat(86),
  };
  const costly = [
    await one.send(other.agent),
    await one.send(other.agent),
    await one.send('nobody'),
    await one.send(one.agent),
    await one.send(third.agent, { thread: 'th_none' }),
    await one.send(third.agent, { ...signed, ts: '0' }),
    await one.introduce(other.agent),
  ];
  assert.deepEqual(
    costly.map(({ status, body }) => [status, body.error ?? body.status]),
    [
      [202, 'request_sent'],
      [409, 'request_pending'],
      [404, 'unknown_recipient'],
      [400, 'invalid_to'],
      [404, 'unknown_thread'],
      [400, 'invalid_ts'],
      [409, 'request_pending'],
    ],
  );
  const free = [
    await one.send(third.agent),
    await one.send(third.agent, signed),
    await one.send(third.agent, { text: '' }),
    await one.introduce(third.agent, ''),
  ];
  assert.deepEqual(
    free.map(({ status, body }) => [status, body.error]),
    [
      [429, 'rate_limited'],
      [400, 'bad_signature'],
      [400, 'invalid_text'],
      [400, 'invalid_reason'],
    ],
  );
  for (let count = 0; count < 2; count += 1) {
    assertNo(await one.send('nobody'), [404, 'unknown_recipient']);
  }
  assertNo(await one.send('nobody'), limited, { retry_after: 60 });
});
