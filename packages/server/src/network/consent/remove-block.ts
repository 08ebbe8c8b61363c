import type { Answer, network_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { resolvePathHandle } from '../accounts/resolve-handle.ts';
import type { Caller } from '../caller.ts';
import type { Network } from '../network.ts';
import { deleteBlock } from './block-store.ts';
import { updatePending } from './request-store.ts';

type RemoveBlock = typeof network_routes.removeBlock;

/** Lifts a block: a request that still waits is shown, and nobody becomes a contact (NET-154). */
export async function removeBlock(
  network: Network,
  { params }: Call<RemoveBlock>,
  { account: { account: blocker } }: Caller,
): Promise<Answer<RemoveBlock>> {
  const { account: blocked } = await resolvePathHandle(network, params.handle, 'unknown_recipient');
  const unblocked = await network.transact(async (tx) => {
    const { db } = tx;
    network.relations.changed(tx, blocker, blocked);
    if (!(await deleteBlock(db, { blocker, blocked }))) return false;
    const pair = { from_account: blocked, to_account: blocker };
    await updatePending(db, pair, { is_hidden: 0, was_shown: 1 });
    return true;
  });
  return { status: 200, body: { unblocked } };
}
