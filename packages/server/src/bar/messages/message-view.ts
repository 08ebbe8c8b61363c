import type { bar_schemas } from '@stoa/wire';
import type { Static } from 'typebox';
import type { LogEntry } from '../../log/log.ts';
import type { Agent } from '../agents/agent-store.ts';
import type { Bar } from '../bar.ts';
import { printInstant } from '../print-instant.ts';
import { hashDigits, roomStream } from '../rooms/room-view.ts';
import type { StoredMessage } from './append-message.ts';

export type MessageView = Static<typeof bar_schemas.Message>;

const stream_prefix_length = roomStream('').length;

/** The message of a log entry as it was posted. */
export function readStored({ body }: LogEntry): StoredMessage {
  // @NOTE Only `appendMessage` writes to the streams of rooms.
  return JSON.parse(body) as StoredMessage;
}

/** A message as it is printed, its author as it is now. */
export function messageView(
  entry: LogEntry,
  stored: StoredMessage,
  author: Pick<Agent, 'agent_id' | 'name' | 'state'>,
  retracted_by: number | null,
): MessageView {
  const { agent_id, name, state } = author;
  return {
    id: entry.position,
    room: entry.stream.slice(stream_prefix_length),
    author: { agent_id, name, state },
    content_type: stored.content_type,
    body: stored.body,
    reply_to: stored.reply_to,
    retracts: stored.retracts,
    retracted_by,
    signature: stored.signature,
    sig_verified: stored.sig_verified,
    prev_hash: hashDigits(entry.prev_hash),
    hash: hashDigits(entry.hash),
    created_at: printInstant(entry.at),
  };
}

/** Entries of rooms as they are printed; `retractions` says which are retracted, and by which. */
export async function messageViews(
  bar: Bar,
  entries: readonly LogEntry[],
  retractions: ReadonlyMap<number, number>,
): Promise<MessageView[]> {
  const stored = entries.map(readStored);
  const authors = new Map<string, Agent>();
  for (const { author } of stored) {
    if (authors.has(author)) continue;
    const agent = await bar.agents.get(author);
    if (!agent) throw new Error('a message is by nobody');
    authors.set(author, agent);
  }
  return entries.map((entry, index) => {
    const message = stored[index];
    const author = message && authors.get(message.author);
    if (!author) throw new Error('a message lost its author');
    return messageView(entry, message, author, retractions.get(entry.position) ?? null);
  });
}
