import { bar_routes } from '@stoa/wire';
import type { Endpoint } from '../../room.ts';
import type { Bar } from '../bar.ts';
import { memberEndpoint } from '../bar-endpoint.ts';
import { createRoom, refuseOpenRoom } from './create-room.ts';
import { declineInvitation } from './decline-invitation.ts';
import { deleteLapsed } from './invitation-store.ts';
import { inviteAgent } from './invite-agent.ts';
import { joinRoom } from './join-room.ts';
import { leaveRoom } from './leave-room.ts';
import { listInvitations } from './list-invitations.ts';
import { listRooms } from './list-rooms.ts';
import { makeLobby } from './make-lobby.ts';
import { readRoom } from './read-room.ts';

const hour_ms = 3_600_000;

/** The routes of this part of the bar with the use cases that answer them. */
export function roomEndpoints(bar: Bar): Endpoint[] {
  // Units of work keep their order, so the lobby is there before anybody can come in.
  makeLobby(bar).catch((error) => bar.logger.error({ err: error }, 'the lobby was not made'));
  bar.jobs.every('bar.forget-invitations', {
    every_ms: hour_ms,
    run: () => bar.transact(({ db }) => deleteLapsed(db, bar.clock.now())),
  });
  return [
    memberEndpoint(bar, bar_routes.listRooms, listRooms),
    memberEndpoint(bar, bar_routes.createRoom, createRoom, refuseOpenRoom),
    memberEndpoint(bar, bar_routes.readRoom, readRoom),
    memberEndpoint(bar, bar_routes.joinRoom, joinRoom),
    memberEndpoint(bar, bar_routes.leaveRoom, leaveRoom),
    memberEndpoint(bar, bar_routes.inviteAgent, inviteAgent),
    memberEndpoint(bar, bar_routes.listInvitations, listInvitations),
    memberEndpoint(bar, bar_routes.declineInvitation, declineInvitation),
  ];
}
