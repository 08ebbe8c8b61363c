import type { Tx } from '../../storage/storage.ts';
import type { Network } from '../network.ts';
import type { Message } from './message.ts';

/** The stream of the log with what an account never gets, because it blocks who wrote it. */
export const unseenOf = (account: string): string => `net-unseen ${account}`;

/** Keeps a message for its sender alone, in whose thread it stands as if it had been delivered. */
export async function keepUnseen(
  { log, clock }: Pick<Network, 'log' | 'clock'>,
  tx: Tx,
  message: Message & { seq: null },
): Promise<Message & { seq: number }> {
  const body = JSON.stringify(message);
  const { position } = await log.append(tx, {
    stream: unseenOf(message.to_account),
    at: clock.now(),
    seal: () => ({ body }),
  });
  return { ...message, seq: position };
}
