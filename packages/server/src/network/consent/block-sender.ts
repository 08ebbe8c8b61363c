import type { Answer, network_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { pairOf } from '../accounts/account-id.ts';
import type { Caller } from '../caller.ts';
import type { Network } from '../network.ts';
import { insertBlock } from './block-store.ts';
import { deleteContact } from './contact-store.ts';
import { findAnswerable, readNamed } from './find-answerable.ts';
import { updatePending } from './request-store.ts';

type BlockSender = typeof network_routes.blockSender;

/**
 * Blocks the sender of a request, or any account by its handle: ends the contact, hides its pending request
 * from the caller, and changes nothing that the other side can see (NET-135, D-NET-33).
 */
export async function blockSender(
  network: Network,
  { params, refuse }: Call<BlockSender>,
  { account: { account: blocker } }: Pick<Caller, 'account'>,
): Promise<Answer<BlockSender>> {
  const named = await readNamed(network, params.id);
  const blocked = await network.transact(async (tx) => {
    const { db } = tx;
    const blocked = await blockedBy();
    if (blocked === blocker) throw refuse('unknown_request');
    network.relations.changed(tx, blocker, blocked);
    await insertBlock(db, { blocker, blocked, since: network.clock.now() });
    await deleteContact(db, pairOf(blocker, blocked));
    await updatePending(db, { from_account: blocked, to_account: blocker }, { is_hidden: 1 });
    return blocked;

    async function blockedBy(): Promise<string> {
      if ('from_account' in named) return named.from_account;
      const { status, from_account } = await findAnswerable(db, named, blocker);
      if (status !== 'pending') throw refuse('request_answered');
      return from_account;
    }
  });
  return { status: 200, body: { blocked: true, account: blocked } };
}
