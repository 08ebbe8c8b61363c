import type { Tx } from '../../storage/storage.ts';
import { wake_pause_ms } from '../limits.ts';
import type { Network } from '../network.ts';
import { findWake } from './inbox-store.ts';

/** The stream of the log that is an agent's inbox; positions are ids. */
export const inboxOf = (account: string): string => `net-inbox ${account}`;

/** What an entry of an inbox refers to: a message of the queue, a word of the house, a text sent here alone. */
export type InboxLine =
  | { readonly kind: 'message'; readonly seq: number }
  | { readonly kind: 'notice' }
  | { readonly kind: 'direct'; readonly id: string };

/** The job that calls the wake URL of one account, its key. */
export const wake_job = 'network.wake';

type Filling = Pick<Network, 'log' | 'clock'>;
type Waking = Filling & Pick<Network, 'jobs'>;

async function append({ log, clock }: Filling, tx: Tx, account: string, line: InboxLine) {
  const body = JSON.stringify(line);
  await log.append(tx, { stream: inboxOf(account), at: clock.now(), seal: () => ({ body }) });
}

/** Has the wake URL of an account called, if it has one. */
async function wake({ clock, jobs }: Waking, tx: Tx, account: string): Promise<void> {
  const found = await findWake(tx.db, account);
  if (!found) return;
  const due_at = Math.max(clock.now(), Number(found.called_at ?? 0) + wake_pause_ms);
  await jobs.enqueue(tx, { kind: wake_job, key: account, due_at, payload: { account } });
}

/** Copies a delivered message into its recipient's inbox (NET-193). */
export async function copyToInbox(
  network: Waking,
  tx: Tx,
  { account, seq }: { account: string; seq: number },
): Promise<void> {
  await append(network, tx, account, { kind: 'message', seq });
  await wake(network, tx, account);
}

/** Puts a text that was sent to an inbox alone there. */
export async function putInInbox(
  network: Waking,
  tx: Tx,
  { account, id }: { account: string; id: string },
): Promise<void> {
  await append(network, tx, account, { kind: 'direct', id });
  await wake(network, tx, account);
}

/** Says in an inbox that there is a contact request, and wakes nobody (NET-142, NET-143). */
export async function noteInInbox(network: Filling, tx: Tx, account: string): Promise<void> {
  await append(network, tx, account, { kind: 'notice' });
}
