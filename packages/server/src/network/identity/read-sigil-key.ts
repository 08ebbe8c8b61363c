import { encodeBase64Url } from '@stoa/proof';
import type { Answer, network_routes } from '@stoa/wire';
import { isoInstant } from '../../clock.ts';
import type { Call } from '../../http/call.ts';
import { resolvePathHandle } from '../accounts/resolve-handle.ts';
import type { Network } from '../network.ts';
import { findLatestKey, listHolders } from './sigil-store.ts';

type ReadKey = typeof network_routes.readSigilKey;

/** The key of an account as it is registered, which anybody may ask. */
export async function readSigilKey(
  network: Network,
  { params }: Call<ReadKey>,
): Promise<Answer<ReadKey>> {
  const { account } = await resolvePathHandle(network, params.handle, 'unknown_recipient');
  const found = await findLatestKey(network.read, account);
  if (!found) return { status: 200, body: { account, key: null, status: 'none', since: null } };
  // Revoked by one account, a key counts for no other that has proved it (D-NET-15).
  const revoked = (await listHolders(network.read, { key: found.key })).find(
    ({ status }) => status === 'revoked',
  );
  const { key, status, since } = revoked ?? found;
  return {
    status: 200,
    body: { account, key: encodeBase64Url(key), status, since: isoInstant(since) },
  };
}
