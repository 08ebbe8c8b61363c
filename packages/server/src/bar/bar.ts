import type { Cache } from '../cache/caches.ts';
import type { Deps } from '../deps.ts';
import type { Bucket } from '../limits/limits.ts';
import type { RowBuffer } from '../storage/row-buffer.ts';
import { type Agent, findAgent } from './agents/agent-store.ts';
import { findSession, type Session } from './agents/session-store.ts';
import { knock_limit, read_limit, write_limits } from './limits.ts';
import { insertMessages, type MessageRow } from './messages/message-store.ts';
import { openPlaces, type Places } from './messages/places.ts';
import { openRoomCaches, type RoomCaches } from './rooms/room-caches.ts';

/** States that have a write limit of their own; quarantine has that of probation. */
export type WriteClass = keyof typeof write_limits;

/** What the bar's use cases lean on besides the house's own. */
export type Bar = Deps &
  RoomCaches & {
    /** By agent id, as committed. Whoever changes an agent's row calls `forget`. */
    readonly agents: Cache<Agent>;
    /** By the hexadecimal digest of the session token. */
    readonly sessions: Cache<Session>;
    /** By agent id. */
    readonly writes: Readonly<Record<WriteClass, Bucket>>;
    /** By agent id. */
    readonly reads: Bucket;
    /** By client address. */
    readonly knocks: Bucket;
    /** Reads that are held. */
    readonly places: Places;
    /** Where each new message stands; its text is in the log. */
    readonly new_messages: RowBuffer<MessageRow>;
    /** The base URL as it is printed, without a slash at its end. */
    readonly origin: () => string;
  };

const cached_max = 20_000;
const limited_keys_max = 100_000;
const minute_ms = 60_000;
const hour_ms = 3_600_000;

/** Opens what the bar keeps in memory. */
export function openBar(deps: Deps, mount: string): Bar {
  const { caches, limits } = deps;
  const bucket = (name: string, capacity: number, refill_ms_per_unit: number) =>
    limits.bucket({
      name: `bar-${name}`,
      capacity,
      refill_ms_per_unit,
      keys_max: limited_keys_max,
    });
  const writes = (state: WriteClass) =>
    bucket(
      `writes-${state}`,
      write_limits[state].burst,
      minute_ms / write_limits[state].refill_per_minute,
    );
  return {
    ...deps,
    ...openRoomCaches(deps),
    agents: caches.open({
      name: 'bar-agent',
      entries_max: cached_max,
      load: (agent_id, db) => findAgent(db, agent_id),
    }),
    sessions: caches.open({
      name: 'bar-session',
      entries_max: cached_max,
      load: (digest, db) => findSession(db, Buffer.from(digest, 'hex')),
    }),
    writes: {
      probation: writes('probation'),
      member: writes('member'),
      trusted: writes('trusted'),
    },
    reads: bucket('reads', read_limit.burst, minute_ms / read_limit.refill_per_minute),
    knocks: bucket('knocks', knock_limit.burst, hour_ms / knock_limit.refill_per_hour),
    places: openPlaces(deps),
    new_messages: deps.rowBuffer(insertMessages),
    origin: () => deps.urls.room('bar', mount),
  };
}
