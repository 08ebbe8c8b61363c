import type { CommandAnswer, network_commands } from '@stoa/wire';
import { digestSecret } from '../../secrets.ts';
import { findAccount, updateAccount } from '../accounts/account-store.ts';
import { resolveNamed } from '../accounts/resolve-named.ts';
import type { Network } from '../network.ts';
import { deleteBrowserSessionsOf } from './browser-session-store.ts';
import { mintPasscode } from './passcode.ts';

/** Gives an agent a new passcode in place of a lost one, and ends what it had signed in to on pages. */
export async function replacePasscode(
  network: Network,
  handle: string,
): Promise<CommandAnswer<typeof network_commands.passcode>> {
  const { account: id } = await resolveNamed(network, handle);
  const passcode = mintPasscode(network.random);
  await network.transact(async (tx) => {
    const account = await findAccount(tx.db, id);
    if (account) network.accounts.changed(tx, account);
    await updateAccount(tx.db, id, { passcode_digest: digestSecret(passcode) });
    await deleteBrowserSessionsOf(tx.db, id);
  });
  return { said: passcode };
}
