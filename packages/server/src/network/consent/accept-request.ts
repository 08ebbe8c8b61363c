import type { Answer, network_routes } from '@stoa/wire';
import { isoInstant } from '../../clock.ts';
import type { Call } from '../../http/call.ts';
import type { Tx } from '../../storage/storage.ts';
import { pairOf, readAccountId } from '../accounts/account-id.ts';
import type { Caller } from '../caller.ts';
import { fileMessage } from '../messages/file-message.ts';
import type { Message } from '../messages/message.ts';
import { findMessage } from '../messages/message-store.ts';
import { readFiled } from '../messages/read-filed.ts';
import { findThreadOfPair } from '../messages/thread-store.ts';
import { addressOf, type Network } from '../network.ts';
import { isBlocking } from './block-store.ts';
import { insertContact } from './contact-store.ts';
import { findAnswerable, readNamed } from './find-answerable.ts';
import { readHeld } from './hold-message.ts';
import { findPending, forgetDeclines, type Request, updateRequest } from './request-store.ts';

type AcceptRequest = typeof network_routes.acceptRequest;

/** Makes the caller and the sender of a request contacts, and delivers what was held (NET-132, NET-137). */
export async function acceptRequest(
  network: Network,
  { params, refuse }: Call<AcceptRequest>,
  { account: { account } }: Pick<Caller, 'account'>,
): Promise<Answer<AcceptRequest>> {
  const named = await readNamed(network, params.id);
  const { request, message, answered_at } = await network.transact(async (tx) => {
    const request = await findAnswerable(tx.db, named, account);
    if (request.status === 'accepted') return { request, answered_at: request.answered_at };
    const is_open = request.status === 'pending' && request.is_hidden === 0;
    if (!is_open) throw refuse('request_answered');
    const answered_at = network.clock.now();
    return { request, answered_at, message: await accept(network, tx, request, answered_at) };
  });
  const { handle } = readAccountId(request.from_account);
  return {
    status: 200,
    body: {
      request: {
        id: request.id,
        status: 'accepted',
        from: addressOf(network, handle),
        answered_at: isoInstant(answered_at ?? network.clock.now()),
      },
      message: message ?? (await readDelivered(network, request)),
    },
  };
}

/**
 * Accepts a request, and the one that crosses it. If its sender blocks who accepts, both are accepted all
 * the same and the two are no contacts: as if the sender had ended that at once after. What the one who
 * accepts had written itself reaches nobody, and stands in its thread (D-NET-33).
 */
async function accept(network: Network, tx: Tx, request: Request, now: number): Promise<Message> {
  const { db } = tx;
  const { from_account, to_account } = request;
  network.relations.changed(tx, from_account, to_account);
  const crossing = await findPending(db, { from_account: to_account, to_account: from_account });
  const is_blocked = await isBlocking(db, { blocker: from_account, blocked: to_account });
  const message = await deliverHeld(network, tx, request);
  await closeRequest(tx, request, now);
  if (crossing) {
    await deliverHeld(network, tx, crossing, is_blocked);
    await closeRequest(tx, crossing, now);
  }
  const pair = pairOf(from_account, to_account);
  if (!is_blocked) await insertContact(db, { ...pair, since: now });
  await forgetDeclines(db, from_account, to_account);
  return message;
}

async function closeRequest({ db }: Tx, { id }: Request, answered_at: number): Promise<void> {
  await updateRequest(db, id, { status: 'accepted', answered_at, held: null });
}

async function deliverHeld(
  network: Network,
  tx: Tx,
  request: Request,
  is_unseen = false,
): Promise<Message> {
  const { message_id, from_account, to_account, via, held } = request;
  if (held === null) throw new Error(`nothing is held in request ${request.id}`);
  const { sent_at, ...said } = readHeld(held);
  const thread = await findThreadOfPair(tx.db, pairOf(from_account, to_account));
  return fileMessage(network, tx, {
    id: message_id,
    from_account,
    to_account,
    said,
    via,
    sent_at,
    thread: thread ?? null,
    is_unseen,
  });
}

/** The message that was delivered when a request was accepted. */
async function readDelivered(network: Network, request: Request): Promise<Message | null> {
  const row = await findMessage(network.read, request.message_id);
  if (!row) return null;
  const [message] = await readFiled(network, [row], request.to_account);
  return message ?? null;
}
