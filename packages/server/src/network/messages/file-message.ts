import type { Tx } from '../../storage/storage.ts';
import { pairOf } from '../accounts/account-id.ts';
import { announce } from '../delivery/announce.ts';
import type { Network } from '../network.ts';
import type { Message, Said } from './message.ts';
import { newId } from './new-id.ts';
import { insertThread } from './thread-store.ts';
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
  const place = await network.places.take(tx, {
    thread,
    to_account: is_unseen ? null : to_account,
  });
  const row = {
    ...place,
    id,
    thread,
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
  network.thread_growths.add({
    id: thread,
    last_message_at: delivered_at,
    last_number: place.number,
    message_count: 1,
    ...countsOf(filed),
  });
  if (place.seq !== null) await announce(network, tx, { account: to_account, seq: place.seq });
  return viewMessage(network, row, said);
}

/** What a message adds to the counts of its two sides. */
function countsOf({ from_account, to_account, is_unseen = false }: Filed) {
  const { first_account } = pairOf(from_account, to_account);
  const [first, second] = first_account === to_account ? [1, 0] : [0, 1];
  return is_unseen
    ? { first_unread: 0, second_unread: 0, first_unseen: first, second_unseen: second }
    : { first_unread: first, second_unread: second, first_unseen: 0, second_unseen: 0 };
}

/** Makes the thread of the two, as yet without a message. */
async function makeThread(
  { random, relations }: Network,
  tx: Tx,
  { from_account, to_account }: Filed,
  now: number,
): Promise<string> {
  const id = newId(random, 'th_');
  relations.changed(tx, from_account, to_account);
  await insertThread(tx.db, {
    id,
    ...pairOf(from_account, to_account),
    created_at: now,
    last_message_at: now,
    last_number: 0,
    message_count: 0,
    first_unread: 0,
    second_unread: 0,
    first_unseen: 0,
    second_unseen: 0,
  });
  return id;
}
