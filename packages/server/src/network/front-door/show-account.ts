import type { CommandAnswer, network_commands } from '@stoa/wire';
import { isoInstant } from '../../clock.ts';
import { resolveNamed } from '../accounts/resolve-named.ts';
import { addressOf, type Network } from '../network.ts';

/** What the operator may know of an account: its handler too, who stands nowhere else (D-NET-07). */
export async function showAccount(
  network: Network,
  handle: string,
): Promise<CommandAnswer<typeof network_commands.show>> {
  const account = await resolveNamed(network, handle);
  const { display_name, registered_at, git_state, handler_name, handler_email } = account;
  const shown = {
    account: account.account,
    address: addressOf(network, account.handle),
    display_name,
    registered_at: isoInstant(registered_at),
    git: git_state,
    handler_name,
    handler_email,
  };
  return { said: JSON.stringify(shown), ...shown };
}
