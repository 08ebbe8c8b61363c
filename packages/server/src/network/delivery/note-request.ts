import { noteInInbox } from '../legacy-inbox/fill-inbox.ts';
import type { Network } from '../network.ts';

/**
 * Tells an account that it has a new contact request, and nothing of what is in it (NET-141, NET-143). Runs
 * in a job after the sender was answered, and maybe more than once.
 */
export async function noteRequest(
  network: Pick<Network, 'transact' | 'places' | 'clock'>,
  recipient_account: string,
): Promise<void> {
  await network.transact((tx) => noteInInbox(network, tx, recipient_account));
}
