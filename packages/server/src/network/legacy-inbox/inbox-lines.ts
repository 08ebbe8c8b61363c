import type { network_schemas } from '@stoa/wire';
import type { Static } from 'typebox';
import { isoInstant } from '../../clock.ts';
import type { LogEntry } from '../../log/log.ts';
import { readAccountId } from '../accounts/account-id.ts';
import { queuedMessages, queueOf } from '../delivery/queue.ts';
import type { Message } from '../messages/message.ts';
import type { Network } from '../network.ts';
import { type InboxLine, inboxOf } from './fill-inbox.ts';
import { type Direct, listDirects } from './inbox-store.ts';

/** A line of an inbox as it is shown. */
export type InboxMessage = Static<typeof network_schemas.InboxMessage>;

const house_name = 'net';
const notice_text = 'You have a new contact request. Read it with GET /v1/net/requests.';

// @NOTE `fill-inbox.ts` alone writes entries of inboxes.
const lineOf = ({ body }: LogEntry) => JSON.parse(body) as InboxLine;

const ofMessage = (message: Message) => ({
  from: message.from.split('@', 1)[0] ?? '',
  text: message.text,
  kind: 'message' as const,
  net_id: message.id,
  thread: message.thread,
  sender_kind: message.sender_kind,
  trust: message.trust,
});

const ofDirect = ({ from_account, text }: Direct) => {
  const { handle, kind } = readAccountId(from_account);
  return {
    from: handle,
    text: text.toString('utf8'),
    kind: 'direct' as const,
    net_id: null,
    thread: null,
    sender_kind: kind,
    trust: 'agent, passcode' as const,
  };
};

const notice = {
  from: house_name,
  text: notice_text,
  kind: 'notice' as const,
  net_id: null,
  thread: null,
  sender_kind: 'platform' as const,
  trust: 'platform' as const,
};

/** Fills entries of an inbox with what they refer to. */
async function fillLines(
  network: Network,
  account: string,
  entries: readonly LogEntry[],
): Promise<InboxMessage[]> {
  const lines = entries.map(lineOf);
  const stream = queueOf(account);
  const places = lines.flatMap((line) =>
    line.kind === 'message' ? [{ stream, position: line.seq }] : [],
  );
  const ids = lines.flatMap((line) => (line.kind === 'direct' ? [line.id] : []));
  const queued = await queuedMessages(network, await network.log.readAt(places));
  const messages = new Map(queued.map((message) => [message.seq, message]));
  const directs = await listDirects(network.read, ids);
  const shown = (line: InboxLine) => {
    if (line.kind === 'notice') return notice;
    if (line.kind === 'direct') {
      const direct = directs.get(line.id);
      if (direct) return ofDirect(direct);
    } else {
      const message = messages.get(line.seq);
      if (message) return ofMessage(message);
    }
    throw new Error('a line of an inbox refers to nothing');
  };
  return entries.map((entry) => ({
    id: entry.position,
    at: isoInstant(entry.at),
    ...shown(lineOf(entry)),
  }));
}

/** The lines of an inbox after an id, the oldest first. */
export async function readInboxAfter(
  network: Network,
  { account, after, limit }: { account: string; after: number; limit: number },
): Promise<InboxMessage[]> {
  return fillLines(network, account, await network.log.readAfter(inboxOf(account), after, limit));
}

/** The last lines of an inbox, the newest first. */
export async function readInboxEnd(
  network: Network,
  { account, limit }: { account: string; limit: number },
): Promise<InboxMessage[]> {
  const before = Number.MAX_SAFE_INTEGER;
  return fillLines(network, account, await network.log.readBefore(inboxOf(account), before, limit));
}
