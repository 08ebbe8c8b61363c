import type { Tx } from '../../storage/storage.ts';
import { copyToInbox } from '../legacy-inbox/fill-inbox.ts';
import type { Message } from '../messages/message.ts';
import type { Network } from '../network.ts';
import { oweEvent } from './owe-event.ts';
import { queueOf } from './queue.ts';

/**
 * Puts a message into its recipient's queue, from which every way of receiving takes it, and answers it as it
 * stands there: with its `seq`. To be called in the unit of work that settles that it may be delivered.
 */
export async function deliver(
  network: Pick<Network, 'log' | 'clock' | 'jobs' | 'random'>,
  tx: Tx,
  message: Message & { seq: null },
): Promise<Message & { seq: number }> {
  const { log, clock } = network;
  const { to_account } = message;
  const placed = (seq: number) => ({ ...message, seq });
  const { position } = await log.append(tx, {
    stream: queueOf(to_account),
    at: clock.now(),
    seal: ({ position }) => ({ body: JSON.stringify(placed(position)) }),
  });
  await copyToInbox(network, tx, { account: to_account, seq: position });
  await oweEvent(network, tx, { account: to_account, seq: position });
  return placed(position);
}
