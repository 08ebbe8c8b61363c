import type { Answer, network_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { pairOf } from '../accounts/account-id.ts';
import { resolvePathHandle } from '../accounts/resolve-handle.ts';
import type { Caller } from '../caller.ts';
import type { Network } from '../network.ts';
import { deleteContact } from './contact-store.ts';

type RemoveContact = typeof network_routes.removeContact;

/** Ends a contact for both sides (NET-140). */
export async function removeContact(
  network: Network,
  { params }: Call<RemoveContact>,
  { account }: Caller,
): Promise<Answer<RemoveContact>> {
  const other = await resolvePathHandle(network, params.handle, 'unknown_recipient');
  const pair = pairOf(account.account, other.account);
  const removed = await network.transact((tx) => {
    network.relations.changed(tx, account.account, other.account);
    return deleteContact(tx.db, pair);
  });
  return { status: 200, body: { removed } };
}
