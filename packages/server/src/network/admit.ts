import type { Unchecked } from '../http/call.ts';
import { RefusalError } from '../refusal.ts';
import type { Account } from './accounts/account-store.ts';
import type { Caller } from './caller.ts';
import { findBySigilToken } from './identity/find-by-secret.ts';
import type { Network } from './network.ts';

type Request = Pick<Unchecked, 'headers' | 'client'>;

/** The token after `Sigil`; headers of other schemes belong to others, such as proxies. */
function sigilToken({ headers }: Request): string | undefined {
  const [scheme = '', token = '', ...rest] = (headers.authorization ?? '').trim().split(/ +/);
  if (scheme.toLowerCase() !== 'sigil') return undefined;
  return rest.length === 0 ? token : '';
}

/** The account of a credential that was sent, which must hold then. */
function held(account: Account | undefined): Account {
  if (!account) throw new RefusalError('unauthorized');
  return account;
}

/**
 * Admits the request of a caller with a passcode, a session of Sigil or both of one account, before its
 * fields are looked at (D-NET-22). All that is wrong with credentials is one refusal.
 */
export async function admitCaller(network: Network, request: Request): Promise<{ seen: Caller }> {
  const passcode = request.headers['x-inbox-passcode'];
  const by_passcode =
    passcode === undefined ? undefined : held(await network.accounts.byPasscode(String(passcode)));
  const token = sigilToken(request);
  const by_sigil = token === undefined ? undefined : held(await findBySigilToken(network, token));
  const account = by_passcode ?? by_sigil;
  const is_one = !by_passcode || !by_sigil || by_passcode.account === by_sigil.account;
  if (!account || !is_one) throw new RefusalError('unauthorized');
  return { seen: { account, auth: by_passcode ? 'passcode' : 'sigil', client: request.client } };
}
