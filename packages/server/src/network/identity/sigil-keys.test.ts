import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachEngine } from '../../../../../tests/support/engines.ts';
import { openNetworkHouse } from '../../../../../tests/support/network-api.ts';
import type { Deps } from '../../deps.ts';
import { RefusalError } from '../../refusal.ts';
import { findAccount } from '../accounts/account-store.ts';
import { operator_account } from '../accounts/operator.ts';
import type { Network } from '../network.ts';
import { openSigilKeys, requireCountingKey, settleKey } from './sigil-keys.ts';

/** The key register beside the one of the house, which has these names already. */
const keysOf = ({ caches }: Pick<Deps, 'caches'>) =>
  openSigilKeys({
    caches: { ...caches, open: (spec) => caches.open({ ...spec, name: `other-${spec.name}` }) },
  });

const refusedAs = (code: string) => (error: unknown) => {
  assert.ok(error instanceof RefusalError);
  assert.equal(error.code, code);
  return true;
};

forEachEngine((engine) => {
  test('a first key is settled once, another is refused, and a revoked one for everybody [NET-115] [NET-116] [NET-117]', async () => {
    await using house = await openNetworkHouse({ engine });
    const { deps } = house.house;
    // @NOTE What the key register needs of the room.
    const network = {
      ...deps,
      sigil_keys: keysOf(deps),
      settings: { sigil: true },
    } as unknown as Network;
    const account = await findAccount(deps.read, operator_account);
    assert.ok(account);
    const other = { ...account, account: 'agent:other' };
    const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const settle = (key: Buffer, holder = account) =>
      deps.transact((tx) => settleKey(network, tx, holder, key));

    await requireCountingKey(network, account, first);
    const settled = await Promise.allSettled([settle(first), settle(second)]);
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['fulfilled', 'rejected'],
    );
    await settle(first);
    await requireCountingKey(network, account, first);
    await assert.rejects(requireCountingKey(network, account, second), refusedAs('key_revoked'));

    await settle(first, other);
    const since = deps.clock.now();
    await deps.transact((tx) =>
      network.sigil_keys.revokeActive(tx, { account: account.account, since }),
    );
    for (const holder of [account, other]) {
      await assert.rejects(requireCountingKey(network, holder, first), refusedAs('key_revoked'));
      await assert.rejects(settle(first, holder), refusedAs('key_revoked'));
    }
    await assert.rejects(settle(second), refusedAs('key_revoked'));

    const off = { ...network, settings: { sigil: false } } as unknown as Network;
    await requireCountingKey(off, account, first);
    await deps.transact((tx) => settleKey(off, tx, account, second));
  });
});

test('when Sigil cannot be asked the check is unavailable, with Sigil off nobody asks [NET-118] [NET-119]', async () => {
  const house = await openNetworkHouse({ engine: 'sqlite' });
  const { deps } = house.house;
  const account = await findAccount(deps.read, operator_account);
  assert.ok(account);
  await house.close();
  const network = {
    ...deps,
    sigil_keys: keysOf(deps),
    settings: { sigil: true },
  } as unknown as Network;
  const key = Buffer.alloc(32, 1);
  const asked = requireCountingKey(network, account, key);
  await assert.rejects(asked, refusedAs('key_check_unavailable'));
  const off = { ...network, settings: { sigil: false } } as unknown as Network;
  await requireCountingKey(off, account, key);
});
