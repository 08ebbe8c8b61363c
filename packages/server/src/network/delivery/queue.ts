import type { Message } from '../messages/message.ts';
import { viewMessage } from '../messages/view-message.ts';
import type { Network } from '../network.ts';
import { listQueued } from './queue-store.ts';

/** What the topics of queues begin with. */
export const queue_topics = 'net-queue ';

/** The topic that is woken when an account has received something. */
export const queueTopic = (account: string): string => queue_topics + account;

/** A part of a queue: its messages after `after`, and whether there are more. */
export type QueuePage = { messages: Message[]; next_after: number; more: boolean };

/** Reads at most `limit` messages that an account has received after a seq. */
export async function readQueuePage(
  network: Pick<Network, 'domain' | 'read'>,
  { account, after, limit }: { account: string; after: number; limit: number },
): Promise<QueuePage> {
  const rows = await listQueued(network.read, { account, after, limit: limit + 1 });
  const given = rows.slice(0, limit);
  return {
    messages: given.map((row) => viewMessage(network, row)),
    next_after: given.at(-1)?.seq ?? after,
    more: rows.length > limit,
  };
}
