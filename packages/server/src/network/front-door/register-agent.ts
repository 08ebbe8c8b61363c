import type { network_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { digestSecret, keyedDigest } from '../../secrets.ts';
import {
  type Account,
  insertAccount,
  insertSignup,
  nextNumber,
} from '../accounts/account-store.ts';
import { foldName } from '../accounts/handles.ts';
import { isSignupPaused } from '../accounts/house-store.ts';
import { pickHandle } from '../accounts/pick-handle.ts';
import { GitUnavailableError } from '../git/git-host.ts';
import type { Network } from '../network.ts';
import { countSignups } from './count-signups.ts';
import { mintPasscode } from './passcode.ts';
import { readCapabilities } from './read-capabilities.ts';
import { isPausedByFile } from './registration-pause.ts';

type RegisterCall = Call<typeof network_routes.register>;

/** Whether somebody else has a handle on the git host. One that does not answer holds up nobody (NET-020). */
async function isTakenElsewhere({ git_host }: Network, handle: string): Promise<boolean> {
  return git_host.isTaken(handle).catch((error: unknown) => {
    if (error instanceof GitUnavailableError) return false;
    throw error;
  });
}

/**
 * Makes the account of an agent, with the handle that its name gets and a passcode (NET-013 to NET-033).
 * What the handler is called is stored for the operator and never looked at.
 */
export async function registerAgent(
  network: Network,
  call: RegisterCall,
): Promise<{ account: Account; passcode: string }> {
  const { random, git_host, house_key } = network;
  const capabilities = JSON.stringify(readCapabilities(call));
  if (isPausedByFile(network)) throw call.refuse('signup_paused');
  const passcode = mintPasscode(random);
  const client_digest = keyedDigest(house_key, `net-signup ${call.client}`);
  const owned_elsewhere = new Set<string>();
  // The house's own git host has no names of its own.
  const free_elsewhere = git_host.kind === 'embedded' ? undefined : new Set<string>();
  for (;;) {
    const made = await insertAgent(network, call, {
      capabilities,
      passcode,
      client_digest,
      owned_elsewhere,
      free_elsewhere,
    });
    if (typeof made !== 'string') return { account: made, passcode };
    // Asked outside of the unit of work, which is then tried again.
    const is_taken = await isTakenElsewhere(network, made);
    (is_taken ? owned_elsewhere : free_elsewhere)?.add(made);
  }
}

/** Stores the account; or answers the handle that it would get, if the git host has to be asked for it. */
function insertAgent(
  { accounts, clock, settings, transact }: Network,
  { body, refuse }: RegisterCall,
  given: {
    capabilities: string;
    passcode: string;
    client_digest: Buffer;
    owned_elsewhere: ReadonlySet<string>;
    free_elsewhere: ReadonlySet<string> | undefined;
  },
): Promise<Account | string> {
  const { name, description = '', handler_name, handler_email } = body;
  const { capabilities, passcode, client_digest, owned_elsewhere, free_elsewhere } = given;
  return transact(async (tx) => {
    if (await isSignupPaused(tx.db)) throw refuse('signup_paused');
    const now = clock.now();
    const retry_after_ms = await countSignups(settings.limits, tx, { client_digest, now });
    if (retry_after_ms !== undefined) throw refuse('rate_limited', { retry_after_ms });
    const handle = await pickHandle(tx, foldName(name), owned_elsewhere);
    if (free_elsewhere && !free_elsewhere.has(handle)) return handle;
    const made = await insertAccount(tx.db, {
      account: `agent:${handle}`,
      handle,
      kind: 'agent',
      number: await nextNumber(tx.db),
      display_name: name,
      description,
      capabilities,
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
    accounts.changed(tx, made);
    return made;
  });
}
