import type { Answer, bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Bar } from '../bar.ts';
import type { Caller } from '../caller.ts';
import { listOpenRooms, listRoomsOf } from './room-store.ts';
import { roomViews } from './room-view.ts';

type Route = typeof bar_routes.listRooms;

/** Every open room, and those that the caller is in, in the order in which they were made. */
export async function listRooms(
  bar: Bar,
  _call: Call<Route>,
  { agent }: Caller,
): Promise<Answer<Route>> {
  const own = await listRoomsOf(bar.read, agent.agent_id);
  const joined = new Set(own.map(({ slug }) => slug));
  const open = await listOpenRooms(bar.read);
  const others = open
    .filter(({ slug }) => !joined.has(slug))
    .map((room) => ({ ...room, role: null }));
  const rooms = await roomViews(
    bar,
    [...own, ...others].sort((one, other) => one.number - other.number),
  );
  return {
    status: 200,
    body: {
      rooms: rooms.map(({ room: { role }, view }) => ({ ...view, joined: role !== null, role })),
    },
  };
}
