import type { Cache } from '../../cache/caches.ts';
import type { Deps } from '../../deps.ts';
import { findLastRetracted } from '../messages/message-store.ts';
import { listSlugsOf } from './member-store.ts';
import { findRoom, type Room } from './room-store.ts';

/** What the bar remembers of its rooms. */
export type RoomCaches = {
  /** By slug. Whoever changes a room's row calls `forget`. */
  readonly rooms: Cache<Room>;
  /** The slugs of an agent's rooms by its id. Whoever begins or ends a membership calls `forget`. */
  readonly memberships: Cache<ReadonlySet<string>>;
  /** The highest id of a retracted message of a room by its slug, 0 if there is none. Whoever retracts calls `forget`. */
  readonly last_retracted: Cache<number>;
};

const rooms_max = 20_000;
/** An agent may be in thousands of rooms. */
const members_max = 5_000;

export function openRoomCaches({ caches, read }: Deps): RoomCaches {
  return {
    rooms: caches.open({
      name: 'bar-room',
      entries_max: rooms_max,
      load: (slug) => findRoom(read, slug),
    }),
    memberships: caches.open({
      name: 'bar-membership',
      entries_max: members_max,
      load: async (agent_id) => new Set(await listSlugsOf(read, agent_id)),
    }),
    last_retracted: caches.open({
      name: 'bar-last-retracted',
      entries_max: rooms_max,
      load: (slug) => findLastRetracted(read, slug),
    }),
  };
}
