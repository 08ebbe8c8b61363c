import type { Network } from '../network.ts';

/** The topic that is woken when an account has a new contact request. */
export const requestsTopic = (account: string): string => `net-requests ${account}`;

/**
 * Tells an account that it has a new contact request, and nothing of what is in it (NET-141). Runs in a job
 * after the sender was answered, and maybe more than once.
 */
export async function noteRequest(
  { transact }: Pick<Network, 'transact'>,
  recipient_account: string,
): Promise<void> {
  await transact(async (tx) => tx.wake(requestsTopic(recipient_account)));
}
