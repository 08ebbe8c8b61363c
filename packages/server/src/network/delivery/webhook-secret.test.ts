import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf, openNetworkHouse } from '../../../../../tests/support/network-api.ts';
import { openReceiver } from '../../../../../tests/support/webhook-receiver.ts';
import { openSecret } from './webhook-secret.ts';
import { findWebhook } from './webhook-store.ts';

test('the secret of a webhook stands in no row but under the key of the house [NET-192]', async () => {
  await using receiver = await openReceiver();
  await using house = await openNetworkHouse({ engine: 'sqlite', outbound: receiver.outbound });
  const net = networkOf(house);
  const { passcode, account } = await net.signUp('keeper');
  const set = await net.call('POST', '/v1/net/webhook', {
    passcode,
    body: { url: receiver.url('/') },
  });
  const { secret } = set.body;
  const { deps } = house.house;
  const webhook = await findWebhook(deps.read, account);
  assert.ok(webhook);
  const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64');
  for (const value of Object.values(webhook)) {
    const octets = Buffer.isBuffer(value) ? value : Buffer.from(String(value));
    for (const part of [bytes, Buffer.from(bytes.toString('base64'))]) {
      assert.equal(octets.indexOf(part), -1);
    }
  }
  assert.equal(openSecret(deps, account, webhook.secret_box), secret);
  const other_key = { house_key: Buffer.alloc(32, 1) };
  assert.throws(() => openSecret(other_key, account, webhook.secret_box));
  // Nor does it open for another account.
  assert.throws(() => openSecret(deps, 'agent:other', webhook.secret_box));
});
