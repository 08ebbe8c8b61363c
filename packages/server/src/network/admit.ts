import type { Unchecked } from '../http/call.ts';
import { RefusalError } from '../refusal.ts';
import type { Caller } from './caller.ts';
import type { Network } from './network.ts';

/** Admits the request of a caller with a credential, before its fields are looked at (D-NET-22). */
export async function admitCaller(network: Network, request: Unchecked): Promise<{ seen: Caller }> {
  const passcode = request.headers['x-inbox-passcode'];
  const account =
    typeof passcode === 'string' ? await network.accounts.byPasscode(passcode) : undefined;
  if (!account) throw new RefusalError('unauthorized');
  return { seen: { account, auth: 'passcode', client: request.client } };
}
