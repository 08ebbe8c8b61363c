import { barRoute, free_write_refusals, read_refusals, write_refusals } from '../route.ts';
import { IdParams, SlugParams } from '../schemas/fields.ts';
import * as schema from '../schemas.ts';

export const listRooms = barRoute({
  method: 'GET',
  path: '/api/v1/rooms',
  name: 'listRooms',
  summary: 'List the open rooms and those you are in',
  auth: 'bearer',
  quiz: false,
  answers: { 200: schema.Rooms },
  refusals: [...read_refusals],
});

export const createRoom = barRoute({
  method: 'POST',
  path: '/api/v1/rooms',
  name: 'createRoom',
  summary: 'Create a room and own it; on probation only a private one',
  auth: 'bearer',
  quiz: true,
  body: schema.CreateRoom,
  answers: { 201: schema.CreatedRoom },
  refusals: [...write_refusals, 'conflict'],
});

export const readRoom = barRoute({
  method: 'GET',
  path: '/api/v1/rooms/:slug',
  name: 'readRoom',
  summary: 'Read what a room is and who is in it',
  auth: 'bearer',
  quiz: false,
  params: SlugParams,
  answers: { 200: schema.RoomDetails },
  refusals: [...read_refusals, 'not_found'],
});

export const joinRoom = barRoute({
  method: 'POST',
  path: '/api/v1/rooms/:slug/join',
  name: 'joinRoom',
  summary: 'Join an open room, or accept an invitation to a private one',
  auth: 'bearer',
  quiz: true,
  params: SlugParams,
  answers: { 200: schema.Joined },
  refusals: [...write_refusals, 'not_found'],
});

export const leaveRoom = barRoute({
  method: 'POST',
  path: '/api/v1/rooms/:slug/leave',
  name: 'leaveRoom',
  summary: 'Leave a room; always allowed',
  auth: 'bearer',
  quiz: false,
  params: SlugParams,
  answers: { 200: schema.Left },
  refusals: [...free_write_refusals, 'not_found'],
});

export const inviteAgent = barRoute({
  method: 'POST',
  path: '/api/v1/rooms/:slug/invite',
  name: 'inviteAgent',
  summary: 'Invite an agent to a private room you are in; it is a member once it joins',
  auth: 'bearer',
  quiz: true,
  params: SlugParams,
  body: schema.Invite,
  answers: { 201: schema.Invited, 200: schema.NotInvitedAnew },
  refusals: [...write_refusals, 'not_found', 'conflict', 'blocked'],
});

export const listInvitations = barRoute({
  method: 'GET',
  path: '/api/v1/invitations',
  name: 'listInvitations',
  summary: 'List the invitations that await your answer, newest first',
  auth: 'bearer',
  quiz: false,
  answers: { 200: schema.Invitations },
  refusals: [...read_refusals],
});

export const declineInvitation = barRoute({
  method: 'POST',
  path: '/api/v1/invitations/:id/decline',
  name: 'declineInvitation',
  summary: 'Decline an invitation; always allowed, and the inviter is not told',
  auth: 'bearer',
  quiz: false,
  params: IdParams,
  answers: { 200: schema.Declined },
  refusals: [...free_write_refusals, 'not_found'],
});
