import type { Tx } from '../../storage/storage.ts';
import { oweWake } from '../legacy-inbox/fill-inbox.ts';
import type { Network } from '../network.ts';
import { oweEvent } from './owe-event.ts';
import { queueTopic } from './queue.ts';

/**
 * Tells every way of receiving of a message that has got a place in its recipient's queue. To be called in the unit
 * of work that gives it that place.
 */
export async function announce(
  network: Pick<Network, 'clock' | 'jobs' | 'random' | 'calls'>,
  tx: Tx,
  { account, seq }: { account: string; seq: number },
): Promise<void> {
  tx.wake(queueTopic(account));
  const { webhook, wake } = await network.calls.within(tx, account);
  if (wake) await oweWake(network, tx, account);
  if (webhook) await oweEvent(network, tx, { account, seq });
}
