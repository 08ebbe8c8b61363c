import { isoInstant } from '../../clock.ts';
import type { Tx } from '../../storage/storage.ts';
import { pairOf, readAccountId } from '../accounts/account-id.ts';
import { deliver } from '../delivery/deliver.ts';
import { addressOf, type Network } from '../network.ts';
import { keepUnseen } from './keep-unseen.ts';
import type { Message, Said } from './message.ts';
import { newId } from './new-id.ts';
import { insertThread } from './thread-store.ts';

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

/** How well it is known who wrote (D-NET-58). */
export const trustOf = ({ verified }: Pick<Said, 'verified'>) =>
  verified ? ('signed' as const) : ('agent, passcode' as const);

/**
 * Delivers a message to its recipient and files it under the thread of the two, which the first one makes.
 * Answers it as the recipient sees it.
 */
export async function fileMessage(network: Network, tx: Tx, filed: Filed): Promise<Message> {
  const { id, from_account, to_account, said, via, sent_at, is_unseen = false } = filed;
  const now = network.clock.now();
  const thread = filed.thread ?? (await makeThread(network, tx, filed, now));
  const from = readAccountId(from_account);
  const place = is_unseen ? keepUnseen : deliver;
  const message = await place(network, tx, {
    id,
    seq: null,
    kind: 'text',
    thread,
    from: addressOf(network, from.handle),
    to: addressOf(network, readAccountId(to_account).handle),
    from_account,
    to_account,
    sender_kind: from.kind,
    trust: trustOf(said),
    signed: said.signed,
    verified: said.verified,
    text: said.text,
    ts: said.ts,
    nonce: said.nonce,
    sig: said.sig,
    signed_fields: said.signed_fields,
    via,
    offer: null,
    receipt: null,
    sent_at: isoInstant(sent_at),
    delivered_at: isoInstant(now),
    read_at: null,
    redacted: false,
  });
  const { number, previous } = await network.places.take(tx, thread);
  network.new_messages.add({
    number,
    id,
    thread,
    previous,
    from_account,
    to_account,
    seq: message.seq,
    read_at: null,
    is_receipt_given: 0,
    is_unseen: is_unseen ? 1 : 0,
  });
  network.thread_growths.add({
    id: thread,
    last_message_at: now,
    last_number: number,
    message_count: 1,
    ...countsOf(filed),
  });
  return message;
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
