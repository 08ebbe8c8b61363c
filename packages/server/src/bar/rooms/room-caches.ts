import type { Cache } from '../../cache/caches.ts';
import type { Deps } from '../../deps.ts';
import { findLastRetracted } from '../messages/message-store.ts';
import { findMember, listSlugsOf } from './member-store.ts';
import { findRoom, type Room } from './room-store.ts';

/** What the bar remembers of its rooms. */
export type RoomCaches = {
  /** By slug. Whoever changes a room's row calls `forget`. */
  readonly rooms: Cache<Room>;
  /** The slugs of an agent's rooms by its id. Whoever begins or ends a membership calls `forget`. */
  readonly memberships: Cache<ReadonlySet<string>>;
  /** Whether an agent is in a room, by `memberKey`. Whoever begins or ends a membership calls `forget`. */
  readonly members: Cache<true>;
  /** The highest id of a retracted message of a room by its slug, 0 if there is none. Whoever retracts calls `forget`. */
  readonly last_retracted: Cache<number>;
};

const rooms_max = 20_000;
const pairs_max = 100_000;
/** An agent may be in thousands of rooms. */
const members_max = 5_000;

/** An agent in a room, as the cache of members knows them. */
export const memberKey = (slug: string, agent_id: string): string => `${slug} ${agent_id}`;

export function openRoomCaches({ caches }: Pick<Deps, 'caches'>): RoomCaches {
  return {
    rooms: caches.open({
      name: 'bar-room',
      entries_max: rooms_max,
      load: (slug, db) => findRoom(db, slug),
    }),
    memberships: caches.open({
      name: 'bar-membership',
      entries_max: members_max,
      load: async (agent_id, db) => new Set(await listSlugsOf(db, agent_id)),
    }),
    members: caches.open({
      name: 'bar-member',
      entries_max: pairs_max,
      load: async (pair, db) => {
        const [slug = '', agent_id = ''] = pair.split(' ');
        return (await findMember(db, slug, agent_id)) ? (true as const) : undefined;
      },
    }),
    last_retracted: caches.open({
      name: 'bar-last-retracted',
      entries_max: rooms_max,
      load: (slug, db) => findLastRetracted(db, slug),
    }),
  };
}
