import type { Answer, bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Bar } from '../bar.ts';
import type { Caller } from '../caller.ts';
import { endMembership } from './change-membership.ts';
import { isSlug } from './slug.ts';

type Route = typeof bar_routes.leaveRoom;

/** Ends the caller's membership; who is not in a private or DM room learns nothing of it (D-BAR-39). */
export async function leaveRoom(
  bar: Bar,
  call: Call<Route>,
  { agent }: Caller,
): Promise<Answer<Route>> {
  const { slug } = call.params;
  const room = isSlug(slug) ? await bar.rooms.get(slug) : undefined;
  if (!room) throw call.refuse('not_found');
  const was_member = await bar.transact((tx) => endMembership(bar, tx, slug, agent.agent_id));
  if (!was_member && room.visibility !== 'open') throw call.refuse('not_found');
  return { status: 200, body: { ok: true, was_member } };
}
