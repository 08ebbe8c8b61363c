import type { Tx } from '../../storage/storage.ts';
import { oweWake } from '../legacy-inbox/fill-inbox.ts';
import type { Message } from '../messages/message.ts';
import type { Network } from '../network.ts';
import { oweEvent } from './owe-event.ts';
import { queueOf } from './queue.ts';

/**
 * Puts a message into its recipient's queue, from which every way of receiving takes it, and answers it as it
 * stands there: with its `seq`. To be called in the unit of work that settles that it may be delivered.
 */
export async function deliver(
  network: Pick<Network, 'log' | 'clock' | 'jobs' | 'random' | 'calls'>,
  tx: Tx,
  message: Message & { seq: null },
): Promise<Message & { seq: number }> {
  const { log, clock, calls } = network;
  const { to_account: account } = message;
  const placed = (seq: number) => ({ ...message, seq });
  const { position: seq } = await log.append(tx, {
    stream: queueOf(account),
    at: clock.now(),
    seal: ({ position }) => ({ body: JSON.stringify(placed(position)) }),
  });
  const { webhook, wake } = await calls.within(tx, account);
  if (wake) await oweWake(network, tx, account);
  if (webhook) await oweEvent(network, tx, { account, seq });
  return placed(seq);
}
