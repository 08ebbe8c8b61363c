import type { Answer, bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { LogEntry } from '../../log/log.ts';
import type { Bar } from '../bar.ts';
import type { Caller } from '../caller.ts';
import { findVisibleRoom } from '../rooms/find-visible-room.ts';
import { hashDigits, roomStream } from '../rooms/room-view.ts';
import { holdRead, whenHeld } from './hold-read.ts';
import { listRetractions } from './message-store.ts';
import { messageViews } from './message-view.ts';
import { readPageQuery } from './page-query.ts';

type Route = typeof bar_routes.readMessages;

const none: ReadonlyMap<number, number> = new Map();

/** The messages of a room after a cursor; or, if there are none, the next ones within some seconds. */
export async function readMessages(
  bar: Bar,
  call: Call<Route>,
  caller: Caller,
): Promise<Answer<Route>> {
  const { slug } = call.params;
  const { agent_id } = caller.agent;
  const { since, limit, wait_seconds } = readPageQuery(call.query);
  if (!(await findVisibleRoom(bar, agent_id, slug))) throw call.refuse('not_found');
  const stream = roomStream(slug);

  // The caller may leave the room while the read is held.
  const mayStill = whenHeld(bar, caller, async () => {
    if (!(await findVisibleRoom(bar, agent_id, slug))) throw call.refuse('not_found');
  });
  const readPage = async () => {
    const page = await bar.log.readAfter(stream, since, limit);
    await mayStill();
    return page.length > 0 ? page : undefined;
  };
  const { found: entries = [], wait_granted } = await holdRead(bar, {
    agent_id,
    wait_seconds,
    read: readPage,
    wait: (wait_ms) =>
      bar.waiters.waitFor({ topics: [stream], wait_ms, signal: call.signal, read: readPage }),
  });
  const chain_head = await chainHead(bar, stream, entries, limit);
  const messages = await readViews(bar, slug, entries);
  return {
    status: 200,
    headers: { 'x-korova-chain-head': chain_head },
    body: {
      room: slug,
      messages,
      next_since: messages.at(-1)?.id ?? since,
      chain_head,
      wait_granted,
    },
  };
}

/** The last hash of the room: that of the page's last message, if the page was not full. */
async function chainHead(
  bar: Bar,
  stream: string,
  entries: readonly LogEntry[],
  limit: number,
): Promise<string> {
  const last = entries.at(-1);
  if (last && entries.length < limit) return hashDigits(last.hash);
  return hashDigits((await bar.log.head(stream)).hash);
}

async function readViews(bar: Bar, slug: string, entries: readonly LogEntry[]) {
  const [first] = entries;
  const last = entries.at(-1);
  if (!first || !last) return [];
  const range = { slug, first: first.position, last: last.position };
  const is_retracted = ((await bar.last_retracted.get(slug)) ?? 0) >= first.position;
  const retractions = is_retracted ? await listRetractions(bar.read, range) : none;
  return messageViews(bar, entries, retractions);
}
