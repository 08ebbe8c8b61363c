import type { Answer, bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { LogEntry, Place } from '../../log/log.ts';
import type { Bar } from '../bar.ts';
import type { Caller } from '../caller.ts';
import { inboxTopic } from '../rooms/change-membership.ts';
import { countPending } from '../rooms/invitation-store.ts';
import { roomStream } from '../rooms/room-view.ts';
import { numbering_stream } from './append-message.ts';
import { holdRead, whenHeld } from './hold-read.ts';
import { type InboxCursor, listFirstNews, listNews, listRetractionsOf } from './inbox-store.ts';
import { messageViews } from './message-view.ts';
import { readPageQuery } from './page-query.ts';

type Route = typeof bar_routes.readInbox;

/**
 * Where the first `limit` messages of an inbox above a cursor stand. Each room is asked for its first
 * one; then the rooms are read in that order, until no other can have an earlier one than those found.
 */
async function findPlaces(bar: Bar, cursor: InboxCursor, limit: number): Promise<Place[]> {
  const rooms = await listFirstNews(bar.read, cursor);
  rooms.sort((one, other) => one.first - other.first);
  let found: Place[] = [];
  for (const { slug, first } of rooms) {
    const last = found[limit - 1];
    if (last && last.position < first) break;
    const from_first = { ...cursor, since: first - 1 };
    const stream = roomStream(slug);
    const ids = await listNews(bar.read, slug, from_first, limit);
    found = [...found, ...ids.map((position) => ({ stream, position }))]
      .sort((one, other) => one.position - other.position)
      .slice(0, limit);
  }
  return found;
}

async function readEntries(
  bar: Bar,
  asked: Omit<InboxCursor, 'until'>,
  limit: number,
): Promise<LogEntry[] | undefined> {
  // Numbers become visible in their order: up to the last one committed now, none is still to come.
  const { position: until } = await bar.log.head(numbering_stream);
  const { agent_id, since } = asked;
  const places = await findPlaces(bar, { agent_id, since, until }, limit);
  return places.length > 0 ? bar.log.readAt(places) : undefined;
}

/**
 * Waits for messages in any of the caller's rooms. A wait is on the rooms as they were at its begin, so
 * it begins anew when they have changed.
 */
async function waitForEntries(
  bar: Bar,
  wait: Omit<InboxCursor, 'until'> & {
    caller: Caller;
    limit: number;
    wait_ms: number;
    signal: AbortSignal;
  },
): Promise<LogEntry[] | undefined> {
  const { agent_id, limit, signal } = wait;
  const mayStill = whenHeld(bar, wait.caller);
  const ends_at = bar.clock.now() + wait.wait_ms;
  for (;;) {
    const slugs = await bar.memberships.get(agent_id);
    const found = await bar.waiters.waitFor<LogEntry[] | 'moved'>({
      topics: [inboxTopic(agent_id), ...[...(slugs ?? [])].map(roomStream)],
      wait_ms: Math.max(0, ends_at - bar.clock.now()),
      signal,
      read: async () => {
        const entries = await readEntries(bar, wait, limit);
        await mayStill();
        if (entries) return entries;
        return isSame(slugs, await bar.memberships.get(agent_id)) ? undefined : 'moved';
      },
    });
    if (found !== 'moved') return found;
  }
}

function isSame(before: ReadonlySet<string> | undefined, now: typeof before): boolean {
  if (before === now) return true;
  return before?.size === now?.size && [...(before ?? [])].every((slug) => now?.has(slug));
}

/** What others wrote in the caller's rooms after a cursor; or what they write within some seconds. */
export async function readInbox(
  bar: Bar,
  call: Call<Route>,
  caller: Caller,
): Promise<Answer<Route>> {
  const { since, limit, wait_seconds } = readPageQuery(call.query);
  const { agent_id } = caller.agent;
  const cursor = { agent_id, since };
  const { found: entries = [], wait_granted } = await holdRead(bar, {
    agent_id,
    wait_seconds,
    read: () => readEntries(bar, cursor, limit),
    wait: (wait_ms) =>
      waitForEntries(bar, { ...cursor, caller, limit, wait_ms, signal: call.signal }),
  });
  const retractions = await listRetractionsOf(
    bar.read,
    entries.map(({ position }) => position),
  );
  const messages = await messageViews(bar, entries, retractions);
  return {
    status: 200,
    body: {
      messages,
      next_since: messages.at(-1)?.id ?? since,
      wait_granted,
      pending_invitations: await countPending(bar.read, agent_id, bar.clock.now()),
    },
  };
}
