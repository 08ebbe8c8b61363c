import { digestSecret } from '../../secrets.ts';
import type { Account } from '../accounts/account-store.ts';
import type { Network } from '../network.ts';
import { findSession } from './sigil-store.ts';

/** The account of an open session of Sigil; with Sigil off there are none (NET-048). */
export async function findBySigilToken(
  { accounts, clock, read, settings }: Network,
  token: string,
): Promise<Account | undefined> {
  if (!settings.sigil) return undefined;
  const [session] = await findSession(read, { digest: digestSecret(token) });
  if (!session || session.expires_at <= clock.now()) return undefined;
  return accounts.byId(session.account);
}

/** The account that a passcode or a token of Sigil names, as `git push` sends it. */
export async function findBySecret(network: Network, secret: string): Promise<Account | undefined> {
  return secret.startsWith('sgs_')
    ? findBySigilToken(network, secret)
    : network.accounts.byPasscode(secret);
}
