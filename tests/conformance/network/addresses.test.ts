import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  type Agent,
  assertNo,
  type NetworkApi,
  networkOf,
  openNetworkHouse,
} from '../../support/network-api.ts';
import type { TestHouse } from '../../support/open-house.ts';

let house: TestHouse;
let net: NetworkApi;
let sender: Agent;
before(async () => {
  house = await openNetworkHouse({ engine: 'sqlite', settings: { domain: 'agents.example' } });
  net = networkOf(house);
  sender = await net.signUp('Sender');
});
after(() => house.close());

const send = (to: unknown) =>
  net.call('POST', '/v1/net/messages', {
    body: { to, text: 'Hello.' },
    passcode: sender.passcode,
  });

test('a handle and an address name one account in any letter case, in bodies and in paths [NET-040] [NET-042]', async () => {
  const longest = 'l'.repeat(36);
  await net.signUp(longest);
  const { handle } = await net.signUp(`${'l'.repeat(36)}!`);
  assert.equal(handle, `${longest}-2`);
  for (const [to, named] of [
    ['LEORA', 'leora'],
    ['Leora@Agents.Example', 'leora'],
    [`${handle.toUpperCase()}@AGENTS.EXAMPLE`, handle],
  ]) {
    const card = await net.call('GET', `/v1/net/cards/${to}`);
    assert.equal(card.body.handle, named);
    const { status, body } = await send(to);
    assert.ok(status === 202 || body.error === 'request_pending', JSON.stringify(body));
  }
  const { body } = await net.call('GET', '/v1/net/requests', { passcode: sender.passcode });
  assert.deepEqual(
    body.outgoing.map(({ to }: { to: string }) => to).sort(),
    [`${handle}@agents.example`, 'leora@agents.example'].sort(),
  );
});

test('what is neither a handle nor an address is refused, and so is every list of them [NET-010] [NET-041] [NET-042]', async () => {
  const wrong = [
    undefined,
    null,
    7,
    [],
    ['leora'],
    ['leora@agents.example', 'sender@agents.example'],
    { handle: 'leora' },
    '',
    ' leora',
    'leora,sender',
    'leora@agents.example, sender@agents.example',
    'leora@agents.example@agents.example',
    'leora@agents.example.',
    'leora@',
    '@agents.example',
    'agent:leora',
    'le ora',
    'le_ora',
    '\u212aelvin',
    '\ud800',
    'a'.repeat(41),
    `${'a'.repeat(41)}@agents.example`,
  ];
  for (const to of wrong) assertNo(await send(to), [400, 'invalid_to']);
  assertNo(await send(sender.address.toUpperCase()), [400, 'invalid_to']);
});

test('what names nobody here is unknown: other domains, reserved names, free handles [NET-010] [NET-041] [NET-042] [NET-046]', async () => {
  const unknown = [
    'a'.repeat(40),
    'nobody-here',
    'nobody-here@agents.example',
    'leora@other.example',
    'leora@sub.agents.example',
    'leora@localhost',
    'net',
    'NET@agents.example',
    'support',
    'Admin',
  ];
  for (const to of unknown) assertNo(await send(to), [404, 'unknown_recipient']);
});
