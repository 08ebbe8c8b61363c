import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { engines, forEachEngine } from '../../../../../tests/support/engines.ts';
import {
  assertNo,
  type NetworkApi,
  networkConfig,
  networkOf,
  openNetworkHouse,
} from '../../../../../tests/support/network-api.ts';
import { openTestHouse, type TestHouse } from '../../../../../tests/support/open-house.ts';
import { StartError } from '../../start-fault.ts';
import type { Network } from '../network.ts';
import { network } from '../room.ts';
import { insertAccount, listByHandle, nextNumber } from './account-store.ts';
import { reserved_handles } from './reserved-handles.ts';
import { settleHouse } from './settle-house.ts';

forEachEngine((engine) => {
  let house: TestHouse;
  let net: NetworkApi;
  before(async () => {
    house = await openNetworkHouse({ engine });
    net = networkOf(house);
  });
  after(() => house.close());

  test('the operator is there before anybody else, with its card [NET-066]', async () => {
    const { body } = await net.call('GET', '/v1/registrations');
    assert.deepEqual(
      body.registrations.map(({ handle }: { handle: string }) => handle),
      ['leora'],
    );
    const { body: card } = await net.call('GET', '/v1/net/cards/leora');
    assert.equal(card.valid, true, JSON.stringify(card));
    assert.deepEqual(card.capabilities, ['concierge', 'introductions']);
    const passcode = await house.command('network', 'passcode', { handle: 'leora' });
    const me = await net.call('GET', '/v1/net/me', { passcode });
    assert.equal(me.body.account, 'agent:leora');
    await house.restart();
    const after_restart = await net.call('GET', '/v1/net/me', { passcode });
    assert.equal(after_restart.body.account, 'agent:leora');
  });

  test('a later start under another domain is refused, with the way back', async () => {
    // @NOTE What settling needs of the room.
    const other = {
      ...house.house.deps,
      domain: 'other.example',
      opening: { at: 0 },
    } as unknown as Network;
    await assert.rejects(settleHouse(other), (error: unknown) => {
      assert.ok(error instanceof StartError);
      assert.match(error.message, /domain = "localhost"/);
      return true;
    });
  });

  test('a handle that two accounts claim names neither [NET-045]', async () => {
    const { handle, passcode } = await net.signUp('Claimed');
    assert.equal((await net.call('GET', `/v1/net/cards/${handle}`)).status, 200);
    const { transact } = house.house.deps;
    await transact(async (tx) => {
      const [mine] = await listByHandle(tx.db, handle);
      assert.ok(mine);
      const account = `human:${handle}`;
      const number = await nextNumber(tx.db);
      await insertAccount(tx.db, {
        ...mine,
        account,
        number,
        kind: 'human',
        passcode_digest: null,
      });
    });
    await house.restart();
    const again = networkOf(house);
    for (const named of [handle, `${handle}@localhost`, handle.toUpperCase()]) {
      assertNo(await again.call('GET', `/v1/sigil/keys/${named}`), [409, 'handle_conflict']);
      assertNo(await again.call('GET', `/v1/net/cards/${named}`), [409, 'handle_conflict']);
    }
    const me = await again.call('GET', '/v1/net/me', { passcode });
    assert.equal(me.body.account, `agent:${handle}`, 'the passcode names the account itself');
  });

  test('no route frees a handle [NET-043] [NET-025]', async () => {
    const { handle, passcode } = await net.signUp('Forever');
    const { body } = await net.call('GET', '/openapi.json');
    for (const [path, operations] of Object.entries(body.paths as Record<string, object>)) {
      for (const method of Object.keys(operations)) {
        assert.ok(method === 'get' || method === 'post', `${method} ${path}`);
        if (method === 'get' || path === '/v1/registrations') continue;
        await net.call('POST', path.replaceAll(/\{\w+\}/g, handle), { passcode, body: {} });
      }
    }
    assert.equal((await net.signUp('Forever')).handle, `${handle}-2`);
    const me = await net.call('GET', '/v1/net/me', { passcode });
    assert.equal(me.body.handle, handle);
  });
});

// Several processes share a PostgreSQL alone.
if (engines.includes('postgres')) {
  test('processes of one house give out one row of handles and hear of each other’s changes [NET-026]', async () => {
    await using house = await openNetworkHouse({ engine: 'postgres' });
    await using beside = await openNetworkHouse({ engine: 'postgres', beside: house });
    const [here, there] = [networkOf(house), networkOf(beside)];
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, at) => (at % 2 ? here : there).signUp('Shared')),
    );
    const handles = made.map(({ handle }) => handle);
    assert.equal(new Set(handles).size, 12);
    assert.ok(handles.includes('shared') && handles.includes('shared-12'));

    const { handle, passcode } = await here.signUp('Mover');
    const settings = { read_receipts: true, require_signed: false };
    await there.call('POST', '/v1/net/settings', { body: settings, passcode });
    const replaced = await house.command('network', 'passcode', { handle });
    const asks = async () => (await there.call('GET', '/v1/net/me', { passcode })).status;
    for (const begun = performance.now(); (await asks()) !== 401; ) {
      assert.ok(performance.now() - begun < 10_000, 'the other process hears of it');
    }
    const known = await there.call('GET', '/v1/net/settings', { passcode: replaced });
    assert.deepEqual(known.body, settings);
  });
}

test('nothing but the accounts themselves is kept by handle [NET-044]', async () => {
  await using house = await openNetworkHouse({ engine: 'sqlite' });
  const tables = await house.house.deps.read.introspection.getTables();
  const ours = tables.filter(({ name }) => name.startsWith('net_'));
  assert.ok(ours.length > 4);
  for (const { name, columns } of ours) {
    const by_handle = columns.filter((column) => /handle/.test(column.name));
    assert.deepEqual(
      by_handle.map((column) => column.name),
      name === 'net_account' ? ['handle', 'handler_name', 'handler_email'] : [],
      name,
    );
  }
});

test('every reserved name is given to nobody, in any letter case [NET-027]', async () => {
  await using house = await openNetworkHouse({
    engine: 'sqlite',
    // Cards are of no matter here.
    settings: { git: { kind: 'embedded', program: '/nowhere/git' } },
  });
  const net = networkOf(house);
  assert.ok(reserved_handles.size > 140);
  for (const name of reserved_handles) {
    const written = [...name].map((one, at) => (at % 2 ? one : one.toUpperCase())).join('');
    const { handle } = await net.signUp(written);
    assert.equal(handle, `${name}-2`);
  }
  for (const name of ['leora', 'net', 'support', 'wellknown']) {
    const { handle } = await net.signUp(` ${name}! `);
    assert.equal(handle, name === 'wellknown' ? name : `${name}-3`);
  }
});

test('the first part of every path of the room is reserved [NET-027]', async () => {
  const { rooms } = networkConfig();
  await using house = await openTestHouse({
    engine: 'sqlite',
    config: { rooms: { network: { ...rooms.network, is_mounted: false } } },
  });
  const open = network.open(house.house.deps);
  const paths = [
    ...open.endpoints.map(({ route }) => route.path),
    ...[...open.pages, ...open.documents, ...(open.raw ?? [])].map(({ path }) => path),
    '/openapi.json',
    '/openapi.yaml',
  ];
  const parts = new Set(paths.map((path) => path.split('/')[1] ?? ''));
  const handles = [...parts].filter((part) => /^[a-z0-9-]+$/.test(part));
  assert.ok(handles.includes('join') && handles.includes('v1'));
  for (const part of handles) assert.ok(reserved_handles.has(part), part);
});
