import type { Answer, bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Bar } from '../bar.ts';
import type { Caller } from '../caller.ts';
import { printInstant } from '../print-instant.ts';
import { listBlocked } from './block-store.ts';

type Route = typeof bar_routes.listBlocks;

/** Whom the caller has blocked, the last one first. */
export async function listBlocks(
  bar: Bar,
  _call: Call<Route>,
  { agent }: Caller,
): Promise<Answer<Route>> {
  const blocked = await listBlocked(bar.read, agent.agent_id);
  const blocks = blocked.map(({ blocked_at, ...who }) => ({
    ...who,
    blocked_at: printInstant(blocked_at),
  }));
  return { status: 200, body: { blocks } };
}
