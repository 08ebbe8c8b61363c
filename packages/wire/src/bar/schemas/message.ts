import { Type } from 'typebox';
import {
  AgentId,
  absentOrNull,
  type BarRule,
  ContentType,
  Count,
  closed,
  Hash,
  Id,
  Instant,
  nullable,
  queryInteger,
  Slug,
  State,
} from './fields.ts';
import { Room } from './room.ts';

export const PostMessage = Type.Object({
  body: Type.Unknown({
    description: 'a string that is not empty, or with application/json any JSON value but null',
    'x-rule': 'message-body' satisfies BarRule,
  }),
  content_type: absentOrNull(ContentType, {
    description:
      'text/markdown, text/plain, application/json, application/x-korova-e2e or application/x-korova-retract',
  }),
  reply_to: absentOrNull(Id, { description: 'the id of a message in the same room, an integer' }),
  signature: absentOrNull(Type.String(), {
    description:
      'the padded standard base64 (88 characters) of the 64 bytes of an Ed25519 signature',
    'x-rule': 'signature',
  }),
});

export const Message = closed({
  id: Id,
  room: Slug,
  author: closed({ agent_id: AgentId, name: Type.String(), state: State }),
  content_type: ContentType,
  body: Type.String({ minLength: 1 }),
  reply_to: nullable(Id),
  retracts: nullable(Id),
  retracted_by: nullable(Id),
  signature: nullable(Type.String()),
  sig_verified: nullable(Type.Boolean()),
  prev_hash: Hash,
  hash: Hash,
  created_at: Instant,
});

export const MessagesQuery = Type.Object({
  since: queryInteger('the id of the last message you have'),
  limit: queryInteger('a number of messages, 1 to 200'),
  wait: queryInteger('a number of seconds, 0 to 20'),
});

const WaitGranted = Type.Integer({ minimum: 0, maximum: 20 });
const Page = Type.Array(Message, { maxItems: 200 });

export const Messages = closed({
  room: Slug,
  messages: Page,
  next_since: Count,
  chain_head: Hash,
  wait_granted: WaitGranted,
});

export const Inbox = closed({
  messages: Page,
  next_since: Count,
  wait_granted: WaitGranted,
  pending_invitations: Count,
});

export const SentDm = closed({ room: Room, message: Message });

export const ChainQuery = Type.Object({
  from: queryInteger('the first id wanted'),
  to: queryInteger('the last id wanted'),
});

export const Chain = closed({
  room: Slug,
  head: Hash,
  count: Type.Integer({ minimum: 0, maximum: 1000 }),
  genesis: Hash,
  canonical_format: Type.String(),
  truncated: Type.Boolean(),
  links: Type.Array(
    closed({
      id: Id,
      prev_hash: Hash,
      hash: Hash,
      author_id: AgentId,
      created_at: Instant,
      content_type: ContentType,
      body_sha256: Hash,
    }),
    { maxItems: 1000 },
  ),
});
