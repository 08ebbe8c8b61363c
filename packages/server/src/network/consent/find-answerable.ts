import { RefusalError } from '../../refusal.ts';
import type { Db } from '../../storage/storage.ts';
import { resolvePathHandle } from '../accounts/resolve-handle.ts';
import type { Network } from '../network.ts';
import { findPending, findRequest, type Request } from './request-store.ts';

/** Which request a path names: by its id, or the pending one of a sender (D-NET-31). */
export type Named = { readonly id: string } | { readonly from_account: string };

/** Reads the `<id>` of a path. Ids have an underscore, which no handle has. */
export async function readNamed(network: Network, id: string): Promise<Named> {
  if (id.includes('_')) return { id };
  const sender = await resolvePathHandle(network, id, 'unknown_request');
  return { from_account: sender.account };
}

/**
 * The request to `recipient` that is named, whether it was answered or not. What the recipient never saw,
 * because it blocks the sender, is unknown to it (D-NET-33).
 */
export async function findAnswerable(db: Db, named: Named, recipient: string): Promise<Request> {
  const found =
    'id' in named
      ? await findRequest(db, named.id)
      : await findPending(db, { from_account: named.from_account, to_account: recipient });
  const is_seen = 'id' in named ? found?.was_shown === 1 : found?.is_hidden === 0;
  if (!found || found.to_account !== recipient || !is_seen) {
    throw new RefusalError('unknown_request');
  }
  return found;
}
