import { encodeBase64Url } from '@stoa/proof';
import type { Answer, network_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Caller } from '../caller.ts';
import type { Network } from '../network.ts';
import { findLatestKey } from './sigil-store.ts';

type RevokeKey = typeof network_routes.revokeSigilKey;

/**
 * Revokes the caller's key for good, with the sessions that it opened (NET-052). A key that no signature
 * has proved cannot be revoked: anybody may have put it on a card, and would then revoke a stranger's.
 */
export async function revokeSigilKey(
  { transact, clock, sigil_keys }: Network,
  _call: Call<RevokeKey>,
  { account: { account } }: Caller,
): Promise<Answer<RevokeKey>> {
  const key = await transact(async (tx) => {
    await sigil_keys.revokeActive(tx, { account, since: clock.now() });
    return (await findLatestKey(tx.db, account))?.key;
  });
  if (!key) return { status: 200, body: { key: null, status: 'none' } };
  return { status: 200, body: { key: encodeBase64Url(key), status: 'revoked' } };
}
