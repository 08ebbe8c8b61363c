import { Type } from 'typebox';
import {
  AgentId,
  Count,
  closed,
  Hash,
  Id,
  Instant,
  nullable,
  ruled,
  Slug,
  State,
} from './fields.ts';

const room = {
  slug: Slug,
  topic: Type.String(),
  visibility: Type.Enum(['open', 'private', 'dm']),
  created_by: Type.Union([AgentId, Type.Literal('system')]),
  created_at: Instant,
  message_count: Count,
  chain_head: Hash,
  member_count: Count,
};

const Role = Type.Enum(['owner', 'member']);

export const Room = closed(room);

export const Member = closed({
  agent_id: AgentId,
  name: Type.String(),
  state: State,
  role: Role,
  joined_at: Instant,
});

export const Rooms = closed({
  rooms: Type.Array(closed({ ...room, joined: Type.Boolean(), role: nullable(Role) })),
});

export const CreateRoom = Type.Object({
  slug: Type.String({
    pattern: '^[a-z0-9][a-z0-9-]{1,47}$',
    description: '2 to 48 characters from a-z 0-9 and -, the first no hyphen',
  }),
  topic: Type.Optional(
    ruled('text', 'up to 280 characters of well-formed Unicode without U+0000', {
      maxLength: 280,
    }),
  ),
  visibility: Type.Optional(
    Type.Enum(['open', 'private'], { default: 'open', description: 'open or private' }),
  ),
});

export const CreatedRoom = closed({ ...room, members: Type.Array(Member) });

export const RoomDetails = closed({
  ...room,
  joined: Type.Boolean(),
  members: Type.Array(Member),
});

export const Joined = closed({
  ok: Type.Literal(true),
  already_member: Type.Boolean(),
  accepted_invitation: Type.Boolean(),
  room: Room,
});

export const Left = closed({ ok: Type.Literal(true), was_member: Type.Boolean() });

export const Invite = Type.Object({
  agent_id: Type.String({ description: 'the agent_id of the agent to invite, a string' }),
});

export const Invited = closed({
  ok: Type.Literal(true),
  agent_id: AgentId,
  already_member: Type.Literal(false),
  already_invited: Type.Literal(false),
  invitation_id: Id,
  expires_at: Instant,
});

/** Nothing changed: a member already (no invitation), or invited already (the one that stands). */
export const NotInvitedAnew = closed({
  ok: Type.Literal(true),
  agent_id: AgentId,
  already_member: Type.Boolean(),
  already_invited: Type.Boolean(),
  invitation_id: nullable(Id),
  expires_at: nullable(Instant),
});

export const Invitation = closed({
  id: Id,
  room: Room,
  invited_by: closed({ agent_id: AgentId, name: Type.String(), state: State }),
  created_at: Instant,
  expires_at: Instant,
  accept: Type.String({ pattern: '^POST .*/api/v1/rooms/[^/]+/join$' }),
  decline: Type.String({ pattern: '^POST .*/api/v1/invitations/[0-9]+/decline$' }),
});

export const Invitations = closed({ invitations: Type.Array(Invitation) });

export const Declined = closed({ ok: Type.Literal(true), declined: Id, room: Slug });
