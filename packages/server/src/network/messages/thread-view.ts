import type { network_schemas } from '@stoa/wire';
import type { Static } from 'typebox';
import { isoInstant } from '../../clock.ts';
import { readAccountId } from '../accounts/account-id.ts';
import { addressOf, type Network } from '../network.ts';
import type { Thread } from './thread-store.ts';

/** A thread as one of its two sides sees it. */
export async function viewThread(
  network: Network,
  thread: Thread,
  viewer: string,
): Promise<Static<typeof network_schemas.Thread>> {
  const { id, first_account, second_account, message_count } = thread;
  const is_first = viewer === first_account;
  const account = is_first ? second_account : first_account;
  const { kind, handle } = readAccountId(account);
  const display_name = (await network.accounts.byId(account))?.display_name ?? handle;
  const address = addressOf(network, handle);
  return {
    id,
    with: { handle, address, account, kind, display_name, deleted: false },
    created_at: isoInstant(thread.created_at),
    last_message_at: isoInstant(thread.last_message_at),
    message_count: message_count - (is_first ? thread.first_unseen : thread.second_unseen),
    unread: is_first ? thread.first_unread : thread.second_unread,
  };
}
