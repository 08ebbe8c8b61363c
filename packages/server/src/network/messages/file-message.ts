import type { Tx } from '../../storage/storage.ts';
import { pairOf } from '../accounts/account-id.ts';
import { announce } from '../delivery/announce.ts';
import type { Network } from '../network.ts';
import type { Message, Said } from './message.ts';
import { newId } from './new-id.ts';
import { keepSaid, viewMessage } from './view-message.ts';

/** What a message is before it lies anywhere. */
export type Filed = {
  readonly id: string;
  readonly from_account: string;
  readonly to_account: string;
  readonly said: Said;
  readonly via: 'leora' | null;
  readonly sent_at: number;
  /** The thread of the two, if they have one. */
  readonly thread: string | null;
  /** Whether the recipient never gets it, while its sender is not told so. */
  readonly is_unseen?: boolean;
};

/**
 * Files a message under the thread of the two, which the first one makes, and in its recipient's queue, from which
 * every way of receiving takes it. Answers it as the recipient sees it.
 */
export async function fileMessage(network: Network, tx: Tx, filed: Filed): Promise<Message> {
  const { id, from_account, to_account, said, via, sent_at, is_unseen = false } = filed;
  const delivered_at = network.clock.now();
  const thread = filed.thread ?? (await makeThread(network, tx, filed, delivered_at));
  const { first_account } = pairOf(from_account, to_account);
  const place = await network.places.take(tx, is_unseen ? null : to_account);
  const previous = await network.threads.grow(tx, thread, {
    number: place.number,
    at: delivered_at,
    side: first_account === to_account ? 'first' : 'second',
    is_unseen,
  });
  const row = {
    ...place,
    id,
    kind: 'text' as const,
    thread,
    previous,
    from_account,
    to_account,
    said: keepSaid(said),
    via,
    sent_at,
    delivered_at,
    read_at: null,
    is_receipt_given: 0,
  };
  network.new_messages.add(row);
  if (place.seq !== null) await announce(network, tx, { account: to_account, seq: place.seq });
  return viewMessage(network, row, said);
}

/** Makes the thread of the two, as yet without a message. */
async function makeThread(
  { random, relations, threads }: Network,
  tx: Tx,
  { from_account, to_account }: Filed,
  now: number,
): Promise<string> {
  const id = newId(random, 'th_');
  relations.changed(tx, from_account, to_account);
  await threads.make(tx, { id, ...pairOf(from_account, to_account), created_at: now });
  return id;
}
