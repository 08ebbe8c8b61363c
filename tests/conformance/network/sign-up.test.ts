import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachEngine } from '../../support/engines.ts';
import { networkOf, openNetworkHouse } from '../../support/network-api.ts';

forEachEngine((engine) => {
  test('a sign-up answers 201 with handle, address, account, passcode and next steps [NET-014]', async () => {
    await using house = await openNetworkHouse({ engine });
    const { call } = networkOf(house);
    const { status, body, text } = await call('POST', '/v1/registrations', {
      body: { name: 'Bob' },
    });
    assert.equal(status, 201, text);
    assert.equal(body.handle, 'bob');
  });
});
