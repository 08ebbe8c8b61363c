import type { Tx } from '../../storage/storage.ts';
import { newId } from '../messages/new-id.ts';
import type { Network } from '../network.ts';
import { insertEvent } from './webhook-store.ts';

/** The job that calls the webhook of one account, its key. */
export const webhook_job = 'network.webhook';

/** Has a message that was received sent to the account's webhook, which is enabled. */
export async function oweEvent(
  { clock, jobs, random }: Pick<Network, 'clock' | 'jobs' | 'random'>,
  tx: Tx,
  { account, seq }: { account: string; seq: number },
): Promise<void> {
  const id = newId(random, 'ev_');
  const now = clock.now();
  await insertEvent(tx.db, { id, account, seq, attempts: 0, due_at: now });
  await jobs.enqueue(tx, { kind: webhook_job, key: account, due_at: now, payload: { account } });
}
