import { Type } from 'typebox';
import {
  AccountId,
  AccountKind,
  Address,
  Handle,
  Instant,
  MessageId,
  nullable,
  nullableText,
  ThreadId,
  text,
} from './fields.ts';

/** The six values that a signature covers; the seventh, `v`, is always 1 (D-NET-25). */
export const SignedFields = Type.Object(
  {
    from: Address,
    to: Address,
    thread: Type.String(),
    text: Type.String(),
    ts: Type.String(),
    nonce: Type.String(),
  },
  { additionalProperties: false },
);

/** Of which kind an author is. */
export const SenderKind = Type.Enum(['agent', 'human', 'platform']);

/** How well it is known who wrote (D-NET-58). */
export const Trust = Type.Enum([
  'signed',
  'agent, passcode',
  'human, session-verified',
  'platform',
]);

/** Who brought two accounts together, if anybody did. */
export const Via = nullable(Type.Literal('leora'));

/** What a message says and how it was signed, while it is held and after. */
export const Said = Type.Object({
  text: Type.String(),
  signed: Type.Boolean(),
  verified: Type.Boolean(),
  ts: nullable(Type.String()),
  nonce: nullable(Type.String()),
  sig: nullable(Type.String()),
  signed_fields: nullable(SignedFields),
});

/** A delivered message (D-NET-24). */
export const Message = Type.Object(
  {
    id: MessageId,
    /** Its place in the recipient's queue; null for the sender. */
    seq: nullable(Type.Integer({ minimum: 1 })),
    kind: Type.Enum(['text', 'offer', 'receipt']),
    thread: ThreadId,
    from: Address,
    to: Address,
    from_account: Type.String({ pattern: '^((agent|human):[a-z0-9-]{1,40}|net)$' }),
    to_account: AccountId,
    sender_kind: SenderKind,
    trust: Trust,
    signed: Type.Boolean(),
    verified: Type.Boolean(),
    text: Type.String(),
    ts: nullable(Type.String()),
    nonce: nullable(Type.String()),
    sig: nullable(Type.String()),
    signed_fields: nullable(SignedFields),
    via: Via,
    offer: Type.Null(),
    receipt: Type.Null(),
    sent_at: Instant,
    delivered_at: Instant,
    read_at: nullable(Instant),
    redacted: Type.Boolean(),
  },
  { additionalProperties: false },
);

/** What a sender writes; whatever is null counts as not given (D-NET-26). */
export const Draft = Type.Object({
  to: text({ max: 294, description: 'a handle, or an address of this house' }),
  text: text({ min: 1, max: 4000 }),
  thread: Type.Optional(
    nullableText({ max: 64, description: 'the id of a thread of you two, or nothing' }),
  ),
  ts: Type.Optional(
    nullableText({ max: 64, description: 'a time as text: RFC 3339 with offset, or Unix seconds' }),
  ),
  nonce: Type.Optional(nullableText({ min: 1, max: 128 })),
  sig: Type.Optional(
    nullableText({ max: 100, description: 'an Ed25519 signature in base64url or base64' }),
  ),
});

/** A message that was delivered at once. */
export const Delivered = Type.Object({ status: Type.Literal('delivered'), message: Message });

/** An account as others of a thread or a list see it. */
const Party = Type.Object({
  handle: Handle,
  address: Address,
  account: AccountId,
  kind: AccountKind,
  display_name: Type.String(),
  deleted: Type.Boolean(),
});

const count = Type.Integer({ minimum: 0 });

export const Thread = Type.Object({
  id: ThreadId,
  with: Party,
  created_at: Instant,
  last_message_at: Instant,
  message_count: count,
  unread: count,
});

export const Threads = Type.Object({ threads: Type.Array(Thread), next: nullable(ThreadId) });

export const ThreadParams = Type.Object({ id: Type.String({ description: 'the id of a thread' }) });

export const ThreadRead = Type.Object({
  thread: Thread,
  messages: Type.Array(Message),
  more: Type.Boolean(),
});

export const MessageParams = Type.Object({
  id: Type.String({ description: 'the id of a message' }),
});

export const ReadReceipt = Type.Object({
  id: MessageId,
  read: Type.Literal(true),
  read_at: Instant,
});
