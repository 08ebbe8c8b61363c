import { isoInstant } from '../../clock.ts';
import type { LogEntry } from '../../log/log.ts';
import type { Message } from '../messages/message.ts';
import type { Network } from '../network.ts';
import { listReadAt } from './queue-store.ts';

/** The stream of the log in which an account receives; positions are its `seq`. */
export const queueOf = (account: string): string => `net-queue ${account}`;

/** The message of an entry, as its recipient sees it. */
function toMessage({ body }: LogEntry, read_at: ReadonlyMap<string, number>): Message {
  // @NOTE `deliver` alone writes entries of queues.
  const message = JSON.parse(body) as Message;
  const instant = read_at.get(message.id);
  return instant === undefined ? message : { ...message, read_at: isoInstant(instant) };
}

/** The messages of these entries of a queue, marked read where they were. */
export async function queuedMessages(
  { read }: Pick<Network, 'read'>,
  entries: readonly LogEntry[],
): Promise<Message[]> {
  const messages = entries.map((entry) => toMessage(entry, new Map()));
  const read_at = await listReadAt(
    read,
    messages.map(({ id }) => id),
  );
  return read_at.size === 0 ? messages : entries.map((entry) => toMessage(entry, read_at));
}

/** A part of a queue: its messages after `after`, and whether there are more. */
export type QueuePage = { messages: Message[]; next_after: number; more: boolean };

/** Reads at most `limit` messages that an account has received after a seq. */
export async function readQueuePage(
  network: Pick<Network, 'log' | 'read'>,
  { account, after, limit }: { account: string; after: number; limit: number },
): Promise<QueuePage> {
  const entries = await network.log.readAfter(queueOf(account), after, limit + 1);
  const given = entries.slice(0, limit);
  return {
    messages: await queuedMessages(network, given),
    next_after: given.at(-1)?.position ?? after,
    more: entries.length > limit,
  };
}
