import { hash } from 'node:crypto';
import { genesis_hash } from '@stoa/proof';
import { canonical_format } from '@stoa/proof/bar';
import type { Answer, bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { LogEntry } from '../../log/log.ts';
import type { Bar } from '../bar.ts';
import type { Caller } from '../caller.ts';
import { chain_links_max } from '../limits.ts';
import { printInstant } from '../print-instant.ts';
import { findVisibleRoom } from '../rooms/find-visible-room.ts';
import { hashDigits, roomStream } from '../rooms/room-view.ts';
import { readStored } from './message-view.ts';

type Route = typeof bar_routes.readChain;

function linkView(entry: LogEntry) {
  const { author, content_type, body } = readStored(entry);
  return {
    id: entry.position,
    prev_hash: hashDigits(entry.prev_hash),
    hash: hashDigits(entry.hash),
    author_id: author,
    created_at: printInstant(entry.at),
    content_type,
    body_sha256: hash('sha256', body),
  };
}

/** The links of a room's chain without the bodies (protocol, section 9; D-BAR-51). */
export async function readChain(
  bar: Bar,
  call: Call<Route>,
  { agent }: Caller,
): Promise<Answer<Route>> {
  const { slug } = call.params;
  const from = Number(call.query.from ?? '0');
  const to = Number(call.query.to ?? Number.MAX_SAFE_INTEGER);
  if (!(await findVisibleRoom(bar, agent.agent_id, slug))) throw call.refuse('not_found');
  const stream = roomStream(slug);
  const entries = await bar.log.readAfter(stream, from - 1, chain_links_max + 1);
  const within = entries.filter(({ position }) => position <= to);
  const head = await bar.log.head(stream);
  const links = within.slice(0, chain_links_max).map(linkView);
  return {
    status: 200,
    body: {
      room: slug,
      head: hashDigits(head.hash),
      count: links.length,
      genesis: genesis_hash,
      canonical_format,
      truncated: within.length > links.length,
      links,
    },
  };
}
