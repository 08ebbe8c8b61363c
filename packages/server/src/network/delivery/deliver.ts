import type { Tx } from '../../storage/storage.ts';
import type { Message } from '../messages/message.ts';
import type { Network } from '../network.ts';

/** The stream of the log in which an account receives; positions are its `seq`. */
export const queueOf = (account: string): string => `net-queue ${account}`;

/**
 * Puts a message into its recipient's queue, and answers it as it stands there: with its `seq`. To be called
 * in the unit of work that settles that it may be delivered.
 */
export async function deliver(
  { log, clock }: Pick<Network, 'log' | 'clock'>,
  tx: Tx,
  message: Message & { seq: null },
): Promise<Message & { seq: number }> {
  const placed = (seq: number) => ({ ...message, seq });
  const { position } = await log.append(tx, {
    stream: queueOf(message.to_account),
    at: clock.now(),
    seal: ({ position }) => ({ body: JSON.stringify(placed(position)) }),
  });
  return placed(position);
}
