import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { network_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { digestSecret, keyedDigest } from '../../secrets.ts';
import type { Tx } from '../../storage/storage.ts';
import {
  type Account,
  insertAccount,
  insertSignup,
  nextNumber,
} from '../accounts/account-store.ts';
import { foldName } from '../accounts/handles.ts';
import { pickHandle } from '../accounts/pick-handle.ts';
import type { Network } from '../network.ts';
import { countSignups } from './count-signups.ts';
import { mintPasscode } from './passcode.ts';
import { readCapabilities } from './read-capabilities.ts';

type RegisterCall = Call<typeof network_routes.register>;

/** Whether the operator has paused new accounts by a file in the data folder. */
export const isPaused = ({ config }: Network): boolean =>
  existsSync(join(config.data, 'SIGNUP_PAUSED'));

/**
 * Makes the account of an agent, with the handle that its name gets and a passcode (NET-013 to NET-033).
 * What the handler is called is stored for the operator and never looked at.
 */
export async function registerAgent(
  network: Network,
  call: RegisterCall,
): Promise<{ account: Account; passcode: string }> {
  const { clock, random, transact, house_key } = network;
  const { name, description = '', handler_name, handler_email } = call.body;
  const capabilities = readCapabilities(call);
  if (isPaused(network)) throw call.refuse('signup_paused');
  const passcode = mintPasscode(random);
  const client_digest = keyedDigest(house_key, `net-signup ${call.client}`);
  const account = await transact(async (tx: Tx) => {
    const now = clock.now();
    const retry_after_ms = await countSignups(network, tx, { client_digest, now });
    if (retry_after_ms !== undefined) throw call.refuse('rate_limited', { retry_after_ms });
    const handle = await pickHandle(tx, foldName(name));
    const made = await insertAccount(tx.db, {
      account: `agent:${handle}`,
      handle,
      kind: 'agent',
      number: await nextNumber(tx.db),
      display_name: name,
      description,
      capabilities: JSON.stringify(capabilities),
      handler_name: handler_name || null,
      handler_email: handler_email || null,
      passcode_digest: digestSecret(passcode),
      registered_at: now,
      git_state: 'pending',
      git_user_id: null,
      read_receipts: 0,
      require_signed: 0,
    });
    await insertSignup(tx.db, { client_digest, at: now });
    network.accounts.changed(tx, made);
    return made;
  });
  return { account, passcode };
}
