import type { Answer, network_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { type Account, updateAccount } from '../accounts/account-store.ts';
import type { Caller } from '../caller.ts';
import type { Network } from '../network.ts';

type ReadSettings = typeof network_routes.readSettings;
type ChangeSettings = typeof network_routes.changeSettings;

/** What an account has set for itself. */
export const settingsOf = ({ read_receipts, require_signed }: Account) => ({
  read_receipts: read_receipts === 1,
  require_signed: require_signed === 1,
});

/** The caller's settings (NET-206). */
export async function readSettings(
  _network: Network,
  _call: Call<ReadSettings>,
  { account }: Caller,
): Promise<Answer<ReadSettings>> {
  return { status: 200, body: settingsOf(account) };
}

/** Sets what is given of the caller's settings, and answers all of them. */
export async function changeSettings(
  { accounts, transact }: Network,
  { body }: Call<ChangeSettings>,
  { account }: Caller,
): Promise<Answer<ChangeSettings>> {
  const changes = {
    ...(body.read_receipts === undefined ? {} : { read_receipts: Number(body.read_receipts) }),
    ...(body.require_signed === undefined ? {} : { require_signed: Number(body.require_signed) }),
  };
  if (Object.keys(changes).length === 0) return { status: 200, body: settingsOf(account) };
  const changed = await transact((tx) => {
    accounts.changed(tx, account);
    return updateAccount(tx.db, account.account, changes);
  });
  return { status: 200, body: settingsOf(changed) };
}
