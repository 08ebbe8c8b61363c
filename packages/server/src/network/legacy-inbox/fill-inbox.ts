import type { Tx } from '../../storage/storage.ts';
import { queueTopic } from '../delivery/queue.ts';
import { wake_pause_ms } from '../limits.ts';
import type { Network } from '../network.ts';
import { findLastLine, findWake, insertLine } from './inbox-store.ts';

/** The job that calls the wake URL of one account, its key. */
export const wake_job = 'network.wake';

type Filling = Pick<Network, 'places' | 'clock'>;
type Waking = Pick<Network, 'clock' | 'jobs'>;

/**
 * Adds a line that is no message: those are in the inbox because they are in the queue. Both count together, so a
 * line is numbered by the messages and the lines before it.
 */
async function addLine(
  { places, clock }: Filling,
  tx: Tx,
  { account, direct }: { account: string; direct: string | null },
): Promise<void> {
  const seq = await places.lastSeq(tx, account);
  const last = await findLastLine(tx.db, { account, until: Number.MAX_SAFE_INTEGER });
  const lines_before = last ? last.id - last.seq : 0;
  const id = seq + lines_before + 1;
  await insertLine(tx.db, { account, id, seq, direct, at: clock.now() });
  // Who waits for the inbox or for requests waits for the queue to grow, and looks for all of them then.
  tx.wake(queueTopic(account));
}

/** Has the wake URL of an account called, if it has one. */
export async function oweWake({ clock, jobs }: Waking, tx: Tx, account: string): Promise<void> {
  const found = await findWake(tx.db, account);
  if (!found) return;
  const due_at = Math.max(clock.now(), Number(found.called_at ?? 0) + wake_pause_ms);
  await jobs.enqueue(tx, { kind: wake_job, key: account, due_at, payload: { account } });
}

/** Puts a text that was sent to an inbox alone there. */
export async function putInInbox(
  network: Filling & Waking,
  tx: Tx,
  { account, id }: { account: string; id: string },
): Promise<void> {
  await addLine(network, tx, { account, direct: id });
  await oweWake(network, tx, account);
}

/** Says in an inbox that there is a contact request, and wakes nobody (NET-142, NET-143). */
export async function noteInInbox(network: Filling, tx: Tx, account: string): Promise<void> {
  await addLine(network, tx, { account, direct: null });
}
