import type { network_schemas } from '@stoa/wire';
import type { Static } from 'typebox';
import { isoInstant } from '../../clock.ts';
import { readAccountId } from '../accounts/account-id.ts';
import { findQueueEnd, listQueued } from '../delivery/queue-store.ts';
import type { Message } from '../messages/message.ts';
import type { MessageRow } from '../messages/message-store.ts';
import { viewMessage } from '../messages/view-message.ts';
import type { Network } from '../network.ts';
import {
  type Direct,
  findLastLine,
  type Line,
  listDirects,
  listLastLines,
  listLinesAfter,
} from './inbox-store.ts';

/** A line of an inbox as it is shown. */
export type InboxMessage = Static<typeof network_schemas.InboxMessage>;

const house_name = 'net';
const notice_text = 'You have a new contact request. Read it with GET /v1/net/requests.';

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

/** A line that is no message, as it is shown. */
const shownLine = (line: Line, directs: ReadonlyMap<string, Direct>): InboxMessage => {
  const { id, at, direct: of } = line;
  if (of === null) return { id, at: isoInstant(at), ...notice };
  const direct = directs.get(of);
  if (!direct) throw new Error('a line of an inbox refers to nothing');
  return { id, at: isoInstant(at), ...ofDirect(direct) };
};

/**
 * Puts messages of the queue and other lines into one order, in which each message counts the lines before it;
 * `lines_before` are those before the first of both.
 */
async function merge(
  network: Network,
  {
    queued,
    lines,
    lines_before,
  }: { queued: readonly MessageRow[]; lines: readonly Line[]; lines_before: number },
): Promise<InboxMessage[]> {
  const ids = lines.flatMap(({ direct }) => (direct === null ? [] : [direct]));
  const directs = await listDirects(network.read, ids);
  const merged: InboxMessage[] = [];
  let taken = 0;
  const takeLinesBefore = (seq: number) => {
    for (let line = lines[taken]; line && line.seq < seq; line = lines[taken]) {
      merged.push(shownLine(line, directs));
      taken += 1;
    }
  };
  for (const row of queued) {
    const seq = Number(row.seq);
    takeLinesBefore(seq);
    const id = seq + lines_before + taken;
    merged.push({
      id,
      at: isoInstant(row.delivered_at),
      ...ofMessage(viewMessage(network, row)),
    });
  }
  takeLinesBefore(Infinity);
  return merged;
}

/** The lines of an inbox after an id, the oldest first. */
export async function readInboxAfter(
  network: Network,
  { account, after, limit }: { account: string; after: number; limit: number },
): Promise<InboxMessage[]> {
  const { read } = network;
  const last = await findLastLine(read, { account, until: after });
  const lines_before = last ? last.id - last.seq : 0;
  const from = after - lines_before;
  const queued = await listQueued(read, { account, after: from, limit });
  // Read after the messages, so that all lines before the last of these are among them.
  const found = await listLinesAfter(read, { account, after, limit });
  // A line behind the last message that was read may have others before it.
  const end = queued.at(-1)?.seq ?? from;
  const lines = found.filter(({ seq }) => seq <= end);
  return (await merge(network, { queued, lines, lines_before })).slice(0, limit);
}

/** The last lines of an inbox, the newest first. */
export async function readInboxEnd(
  network: Network,
  { account, limit }: { account: string; limit: number },
): Promise<InboxMessage[]> {
  const { read } = network;
  const { seq } = await findQueueEnd(read, account);
  const queued = await listQueued(read, { account, after: Math.max(0, seq - limit), limit });
  const lines = (await listLastLines(read, { account, limit })).reverse();
  const [first] = lines;
  const lines_before = first ? first.id - first.seq - 1 : 0;
  const merged = await merge(network, { queued, lines, lines_before });
  return merged.reverse().slice(0, limit);
}
