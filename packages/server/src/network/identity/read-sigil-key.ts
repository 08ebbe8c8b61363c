import { encodeBase64Url } from '@stoa/proof';
import type { Answer, network_routes } from '@stoa/wire';
import { isoInstant } from '../../clock.ts';
import type { Call } from '../../http/call.ts';
import { resolvePathHandle } from '../accounts/resolve-handle.ts';
import type { Network } from '../network.ts';
import { findLatestKey } from './sigil-store.ts';

type ReadKey = typeof network_routes.readSigilKey;

/** The key of an account as it is registered, which anybody may ask. */
export async function readSigilKey(
  network: Network,
  { params }: Call<ReadKey>,
): Promise<Answer<ReadKey>> {
  const { account } = await resolvePathHandle(network, params.handle, 'unknown_recipient');
  const found = await findLatestKey(network.read, account);
  const body = found
    ? {
        account,
        key: encodeBase64Url(found.key),
        status: found.status,
        since: isoInstant(found.since),
      }
    : { account, key: null, status: 'none' as const, since: null };
  return { status: 200, body };
}
