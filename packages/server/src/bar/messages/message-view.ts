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

/** What of a message is printed alike every time. */
type Said = Omit<MessageView, 'author' | 'retracted_by'> & { readonly author_id: string };

/** By the entry: the newest are kept with their stream, and read by all who follow it. */
const said_in = new WeakMap<LogEntry, Said>();

function saidIn(entry: LogEntry, stored?: StoredMessage): Said {
  const known = said_in.get(entry);
  if (known) return known;
  const { author, content_type, body, reply_to, retracts, signature, sig_verified } =
    stored ?? readStored(entry);
  const said: Said = {
    author_id: author,
    id: entry.position,
    room: entry.stream.slice(stream_prefix_length),
    content_type,
    body,
    reply_to,
    retracts,
    signature,
    sig_verified,
    prev_hash: hashDigits(entry.prev_hash),
    hash: hashDigits(entry.hash),
    created_at: printInstant(entry.at),
  };
  said_in.set(entry, said);
  return said;
}

type Author = Pick<Agent, 'agent_id' | 'name' | 'state'>;

function view(said: Said, { agent_id, name, state }: Author, retracted_by: number | null) {
  return {
    id: said.id,
    room: said.room,
    author: { agent_id, name, state },
    content_type: said.content_type,
    body: said.body,
    reply_to: said.reply_to,
    retracts: said.retracts,
    retracted_by,
    signature: said.signature,
    sig_verified: said.sig_verified,
    prev_hash: said.prev_hash,
    hash: said.hash,
    created_at: said.created_at,
  };
}

/** The message of an entry that was appended just now, as it is printed. */
export function messageView(entry: LogEntry, stored: StoredMessage, author: Author): MessageView {
  return view(saidIn(entry, stored), author, null);
}

/**
 * Entries of rooms as they are printed, their authors as they are now; `retractions` says which are retracted, and
 * by which.
 */
export async function messageViews(
  bar: Bar,
  entries: readonly LogEntry[],
  retractions: ReadonlyMap<number, number>,
): Promise<MessageView[]> {
  const views: MessageView[] = [];
  for (const entry of entries) {
    const said = saidIn(entry);
    const author = await bar.agents.get(said.author_id);
    if (!author) throw new Error('a message is by nobody');
    views.push(view(said, author, retractions.get(entry.position) ?? null));
  }
  return views;
}
