import { isoInstant } from '../../clock.ts';
import type { Tx } from '../../storage/storage.ts';
import { pairOf, readAccountId } from '../accounts/account-id.ts';
import { deliver } from '../delivery/deliver.ts';
import { addressOf, type Network } from '../network.ts';
import { keepUnseen } from './keep-unseen.ts';
import type { Message, Said } from './message.ts';
import { insertMessage } from './message-store.ts';
import { newId } from './new-id.ts';
import { growThread, insertThread } from './thread-store.ts';

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
  const thread = await takePlace(network, tx, filed, now);
  const from = readAccountId(from_account);
  const place = is_unseen ? keepUnseen : deliver;
  const message = await place(network, tx, {
    id,
    seq: null,
    kind: 'text',
    thread: thread.id,
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
  await insertMessage(tx.db, {
    id,
    thread: thread.id,
    position: thread.position,
    from_account,
    to_account,
    seq: message.seq,
    read_at: null,
    is_receipt_given: 0,
    is_unseen: is_unseen ? 1 : 0,
  });
  return message;
}

/** The next place in the thread of the two. */
async function takePlace(
  { random }: Network,
  { db }: Tx,
  { thread, from_account, to_account, is_unseen = false }: Filed,
  now: number,
): Promise<{ id: string; position: number }> {
  const pair = pairOf(from_account, to_account);
  const [first, second] = pair.first_account === to_account ? [1, 0] : [0, 1];
  const counts = is_unseen
    ? { first_unread: 0, second_unread: 0, first_unseen: first, second_unseen: second }
    : { first_unread: first, second_unread: second, first_unseen: 0, second_unseen: 0 };
  if (thread !== null) {
    const position = await growThread(db, { id: thread, last_message_at: now, ...counts });
    return { id: thread, position };
  }
  const id = newId(random, 'th_');
  const made = { id, ...pair, created_at: now, last_message_at: now, message_count: 1, ...counts };
  await insertThread(db, made);
  return { id, position: 1 };
}
