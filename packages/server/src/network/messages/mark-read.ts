import type { Answer, network_routes } from '@stoa/wire';
import { isoInstant } from '../../clock.ts';
import type { Call } from '../../http/call.ts';
import { pairOf } from '../accounts/account-id.ts';
import { findAccount } from '../accounts/account-store.ts';
import type { Caller } from '../caller.ts';
import type { Network } from '../network.ts';
import { findMessage, markRow } from './message-store.ts';
import { countRead } from './thread-store.ts';

type MarkRead = typeof network_routes.markRead;

/** Notes that the recipient has read a message; the first time stays (NET-203, D-NET-47). */
export async function markRead(
  { clock, threads, transact }: Network,
  { params: { id }, refuse }: Call<MarkRead>,
  { account: { account } }: Caller,
): Promise<Answer<MarkRead>> {
  const read_at = await transact(async (tx) => {
    const { db } = tx;
    const message = await findMessage(db, id);
    if (message?.to_account !== account || message.seq === null) throw refuse('unknown_message');
    if (message.read_at !== null) return message.read_at;
    const now = clock.now();
    const reader = await findAccount(db, account);
    await markRow(db, { id, read_at: now, is_receipt_given: reader?.read_receipts ?? 0 });
    const is_first = pairOf(message.from_account, account).first_account === account;
    const side = is_first ? 'first_unread' : 'second_unread';
    await threads.settle(tx, message.thread);
    await countRead(db, { id: message.thread, side });
    return now;
  });
  return { status: 200, body: { id, read: true, read_at: isoInstant(read_at) } };
}
