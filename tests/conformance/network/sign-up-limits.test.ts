import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachEngine } from '../../support/engines.ts';
import { assertNo, networkOf, openNetworkHouse } from '../../support/network-api.ts';
import { test_start } from '../../support/open-house.ts';

const hour_s = 3_600;
const day_s = 86_400;

forEachEngine((engine) => {
  test('an address signs up three times in an hour and ten times in a day, the house fifty times [NET-030] [NET-031] [NET-032]', async () => {
    await using house = await openNetworkHouse({
      engine,
      limits: 'protocol',
      config: { trust_proxy: 1 },
    });
    const net = networkOf(house);
    const signUp = (address: string, body: object = { name: 'Agent' }) =>
      net.call('POST', '/v1/registrations', { body, headers: { 'x-forwarded-for': address } });
    const succeeds = async (address: string, times: number) => {
      for (let index = 0; index < times; index += 1) {
        assert.equal((await signUp(address)).status, 201);
      }
    };
    const waits = async (address: string, retry_after: number) =>
      assertNo(await signUp(address), [429, 'rate_limited'], { retry_after });
    const pass = (seconds: number) => house.clock.advance(seconds * 1_000);

    await succeeds('192.0.2.1', 1);
    pass(600);
    await succeeds('192.0.2.1', 2);
    await waits('192.0.2.1', hour_s - 600);
    // What is refused for another reason neither counts nor takes anything.
    assertNo(await signUp('192.0.2.2', { name: '' }), [400, 'invalid_name']);
    await succeeds('192.0.2.2', 1);
    // The /64 of an IPv6 address is one address.
    await succeeds('2001:db8::1', 3);
    await waits('2001:db8::ffff:1', hour_s);
    await succeeds('2001:db8:0:1::1', 1);
    pass(hour_s - 600 - 1);
    await waits('192.0.2.1', 1);
    pass(1);
    await succeeds('192.0.2.1', 1);

    // Four within the day so far; six more in three hours.
    for (const times of [1, 3, 2]) {
      pass(hour_s);
      await succeeds('192.0.2.1', times);
    }
    await house.restart();
    const passed = (house.clock.now() - test_start) / 1_000;
    await waits('192.0.2.1', day_s - passed);
    pass(day_s - passed - 1);
    await waits('192.0.2.1', 1);
    pass(1);
    await succeeds('192.0.2.1', 1);

    // A whole day later: fifty in the house, from seventeen addresses.
    pass(day_s);
    for (let index = 0; index < 16; index += 1) await succeeds(`198.51.100.${index}`, 3);
    pass(60);
    await succeeds('198.51.100.16', 2);
    await waits('203.0.113.1', day_s - 60);
    await waits('198.51.100.16', day_s - 60);
    const { body } = await net.call('GET', '/v1/registrations?limit=200');
    const total = body.registrations.length;
    pass(day_s - 60);
    await succeeds('203.0.113.1', 1);
    const after = (await net.call('GET', '/v1/registrations?limit=200')).body;
    assert.equal(after.registrations.length, total + 1, 'the refused ones made no account');
  });

  test('parallel sign-ups of one address never pass the limit [NET-030] [NET-033]', async () => {
    await using house = await openNetworkHouse({ engine, limits: 'protocol' });
    const net = networkOf(house);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        net.call('POST', '/v1/registrations', { body: { name: 'Hasty' } }),
      ),
    );
    const made = answers.filter(({ status }) => status === 201);
    assert.deepEqual(made.map(({ body }) => body.handle).sort(), ['hasty', 'hasty-2', 'hasty-3']);
    for (const answer of answers) if (answer.status !== 201) assert.equal(answer.status, 429);
  });
});
