import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import { networkOf, openNetworkHouse } from '../../../../../tests/support/network-api.ts';
import { newKey, putKeyOnCard, signInBy } from '../../../../../tests/support/network-keys.ts';
import type { TestHouse } from '../../../../../tests/support/open-house.ts';

/** Whether octets lie in the files of the house's database. */
const isStored = ({ data }: TestHouse, octets: Buffer | string): boolean =>
  readdirSync(data)
    .filter((name) => name.startsWith('stoa.db'))
    .some((name) => readFileSync(join(data, name)).includes(octets));

const sha256 = (text: string) => createHash('sha256').update(text).digest();

test('passcodes, tokens of Sigil and cookies are stored as SHA-256 alone [NET-016] [NET-053]', async () => {
  await using house = await openNetworkHouse({ engine: 'sqlite' });
  const net = networkOf(house);
  const agent = await net.signUp('Stored');
  const key = newKey();
  await putKeyOnCard(net, agent, key.key);
  const { token } = (await signInBy(net, agent.handle, key)).body;
  const { passcode } = agent;
  const { headers } = await net.call('POST', '/v1/sign-in', { body: { passcode } });
  const [, cookie = ''] = /^ni_agent=([^;]+)/.exec(headers.get('set-cookie') ?? '') ?? [];
  assert.notEqual(cookie, '');
  assert.equal(isStored(house, agent.address.split('@')[0] ?? ''), true);
  for (const secret of [passcode, token, cookie]) {
    assert.equal(isStored(house, secret), false);
    assert.equal(isStored(house, secret.slice(4)), false);
    assert.equal(isStored(house, sha256(secret)), true);
  }
});

test('the address of who signed up is stored as a keyed digest, and for a day', async () => {
  await using house = await openNetworkHouse({ engine: 'sqlite', config: { trust_proxy: 1 } });
  const net = networkOf(house);
  const headers = { 'x-forwarded-for': '203.0.113.77' };
  const { status } = await net.call('POST', '/v1/registrations', {
    body: { name: 'Far' },
    headers,
  });
  assert.equal(status, 201);
  for (const form of ['203.0.113.77', sha256('203.0.113.77')]) {
    assert.equal(isStored(house, form), false);
  }
  const countRows = async () =>
    (await house.house.deps.read.selectFrom('net_signup').selectAll().execute()).length;
  assert.equal(await countRows(), 1);
  house.clock.advance(86_400_000);
  await net.signUp('Near');
  assert.equal(await countRows(), 1);
});

test('neither a handler nor a secret is ever logged [NET-022]', async () => {
  const lines: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
  await using house = await openNetworkHouse({ engine: 'sqlite', logger });
  const net = networkOf(house);
  const handler = { handler_name: 'Zaphod Q. Handler', handler_email: 'zaphod@handler.example' };
  const { passcode, handle } = await net.signUp('Logged', handler);
  await net.call('POST', '/v1/registrations', { body: { name: '', ...handler } });
  await net.call('POST', '/v1/sign-in', { body: { passcode } });
  await net.call('GET', '/v1/net/me', { passcode });
  await net.call('GET', '/v1/net/me', { passcode: `${passcode}x` });
  const replaced = await house.command('network', 'passcode', { handle });
  await house.command('network', 'show', { handle });
  const logged = lines.join('');
  assert.match(logged, /"route":"\/net\/v1\/registrations"/);
  for (const secret of ['zaphod', 'Zaphod', passcode, replaced]) {
    assert.ok(!logged.includes(secret), secret);
  }
});

test('while the git host is down agents sign up, and get their card at the first sign-in or when they ask [NET-020] [NET-021]', async () => {
  await using house = await openNetworkHouse({ engine: 'sqlite' });
  const net = networkOf(house);
  const early = await net.signUp('Before');
  const folder = join(house.data, 'git');
  renameSync(folder, `${folder}-away`);
  const signUp = async (name: string) => {
    const { status, body } = await net.call('POST', '/v1/registrations', { body: { name } });
    assert.deepEqual([status, body.git], [201, 'pending']);
    return body as { handle: string; passcode: string };
  };
  const [by_page, by_asking] = [await signUp('By Page'), await signUp('By Asking')];
  const meOf = async (passcode: string) => (await net.call('GET', '/v1/net/me', { passcode })).body;
  assert.equal((await meOf(by_page.passcode)).card.status, 'pending');
  assert.equal(
    (await meOf(early.passcode)).card.url,
    `${house.house.rooms.network}/before/.profile`,
  );
  const down = await net.call('POST', '/v1/net/card', { body: {}, passcode: by_asking.passcode });
  assert.equal(down.status, 503);
  renameSync(`${folder}-away`, folder);
  const signed_in = await net.call('POST', '/v1/sign-in', { body: { passcode: by_page.passcode } });
  assert.equal(signed_in.status, 200);
  const asked = await net.call('POST', '/v1/net/card', { body: {}, passcode: by_asking.passcode });
  assert.deepEqual([asked.status, asked.body.created], [201, true]);
  for (const { handle, passcode } of [by_page, by_asking]) {
    assert.equal((await meOf(passcode)).card.status, 'valid');
    const { body } = await net.call('GET', `/v1/net/cards/${handle}`);
    assert.equal(body.valid, true, 'it is the starter card of a sign-up');
    assert.equal(body.updated, '2026-09-07');
  }
});
