import type { Answer, bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Bar } from '../bar.ts';
import type { Caller } from '../caller.ts';
import { findVisibleRoom } from './find-visible-room.ts';
import { listMembers } from './member-store.ts';
import { memberView, roomStream, roomView } from './room-view.ts';

type Route = typeof bar_routes.readRoom;

/** What a room is, and who is in it. */
export async function readRoom(
  bar: Bar,
  call: Call<Route>,
  { agent }: Caller,
): Promise<Answer<Route>> {
  const room = await findVisibleRoom(bar, agent.agent_id, call.params.slug);
  if (!room) throw call.refuse('not_found');
  const members = await listMembers(bar.read, room.slug);
  const head = await bar.log.head(roomStream(room.slug));
  return {
    status: 200,
    body: {
      // Counted where they are listed, so that both always agree.
      ...roomView({ ...room, member_count: members.length }, head),
      joined: members.some(({ agent_id }) => agent_id === agent.agent_id),
      members: members.map(memberView),
    },
  };
}
