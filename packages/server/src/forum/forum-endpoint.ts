import type { Answer, Route } from '@stoa/wire';
import type { Call, Unchecked } from '../http/call.ts';
import { admittedEndpoint } from '../http/endpoint.ts';
import type { Endpoint, RoomAnswer } from '../room.ts';
import type { Member } from './accounts/account-store.ts';
import { admitMember, admitReader } from './admit.ts';
import type { Caller, Reader } from './caller.ts';
import type { Forum } from './forum.ts';
import type { KeyedRequest } from './idempotency/keyed-request.ts';

/** What a route may leave out of what is asked of members before their fields are looked at. */
export type MemberNeeds = {
  /** Works while the caller's accepted policy is outdated (D-FORUM-14). */
  readonly without_policy?: true;
  /** Answers a rotation again to who repeats it with the token that it replaced (D-FORUM-58). */
  readonly replays_rotation?: true;
  /** What is answered to a repetition, where that is kept apart. */
  readonly replay?: (keyed: KeyedRequest) => Promise<RoomAnswer | undefined>;
  /** Makes of what `act` kept what is said again, where an answer holds words of others, which are not kept a second time. */
  readonly retell?: (kept: unknown, account: Member) => Promise<unknown>;
  /** What `act` runs is told what units beside it have posted, by what is kept of a batch, and changes no rows but by that. */
  readonly posts?: true;
  /** Refuses, after the policy and before the fields: role, tier, switches. */
  readonly check?: (caller: Caller, request: Unchecked) => Promise<void> | void;
};

/** Joins a route that needs a token to its use case, in the order of D-FORUM-02. */
export function memberEndpoint<R extends Route>(
  forum: Forum,
  route: R,
  useCase: (forum: Forum, call: Call<R>, caller: Caller) => Promise<Answer<R>>,
  needs: MemberNeeds = {},
): Endpoint {
  return admittedEndpoint<R, Caller>(
    route,
    (request) => admitMember(forum, route, request, needs),
    (call, caller) => useCase(forum, call, caller),
  );
}

/** Joins a route that may be read without a token; a token that is sent must be good (D-FORUM-10). */
export function readerEndpoint<R extends Route>(
  forum: Forum,
  route: R,
  useCase: (forum: Forum, call: Call<R>, reader: Reader) => Promise<Answer<R>>,
): Endpoint {
  return admittedEndpoint<R, Reader>(
    route,
    (request) => admitReader(forum, request),
    (call, reader) => useCase(forum, call, reader),
  );
}
