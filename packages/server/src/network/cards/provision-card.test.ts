import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Kysely } from 'kysely';
import { eventually } from '../../../../../tests/support/bar-trust.ts';
import { forEachEngine } from '../../../../../tests/support/engines.ts';
import { networkOf, openNetworkHouse } from '../../../../../tests/support/network-api.ts';
import { type TestHouse, test_start } from '../../../../../tests/support/open-house.ts';
import { digestSecret } from '../../secrets.ts';
import { insertAccount } from '../accounts/account-store.ts';
import type { AccountTables } from '../tables.ts';

/** Stores an agent as a sign-up does that died before it made the card. */
async function storeAgent(
  house: TestHouse,
  handle: string,
  registered_at: number,
): Promise<string> {
  const passcode = `nip_${handle}`;
  await house.house.deps.transact(({ db }) =>
    insertAccount(db as Kysely<AccountTables>, {
      account: `agent:${handle}`,
      handle,
      kind: 'agent',
      number: 1_000 + handle.length,
      display_name: handle,
      description: '',
      capabilities: '[]',
      handler_name: null,
      handler_email: null,
      passcode_digest: digestSecret(passcode),
      registered_at,
      git_state: 'pending',
      git_user_id: null,
      read_receipts: 0,
      require_signed: 0,
    }),
  );
  return passcode;
}

forEachEngine((engine) => {
  test('a sign-up that died before its card gets it later; who was here before the network asks for it [NET-065] [NET-021]', async () => {
    await using house = await openNetworkHouse({ engine });
    const net = networkOf(house);
    const passcode = await storeAgent(house, 'older', test_start - 1);
    await storeAgent(house, 'died', test_start);
    const has = (handle: string) => existsSync(join(house.data, 'git', handle));
    await eventually(async () => {
      house.clock.advance(60_000);
      assert.equal((await net.call('GET', '/v1/net/cards/died')).body.valid, true);
    });

    const signed_in = await net.call('POST', '/v1/sign-in', { body: { passcode } });
    assert.equal(signed_in.status, 200);
    assert.equal(has('older'), false);
    assert.equal((await net.call('GET', '/v1/net/cards/older')).status, 404);
    assert.equal((await net.call('POST', '/v1/net/card', { passcode })).status, 201);
    assert.equal((await net.call('GET', '/v1/net/cards/older')).body.valid, true);
  });
});
