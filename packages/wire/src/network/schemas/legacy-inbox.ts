import { Type } from 'typebox';
import { After, CallUrl, Limit, Timeout } from './delivery.ts';
import { Handle, Instant, MessageId, nullable, ThreadId, text } from './fields.ts';
import { SenderKind, Trust } from './messages.ts';

export const InboxQuery = Type.Object({
  after: Type.Optional(After),
  limit: Type.Optional(Limit),
});

export const InboxWaitQuery = Type.Object({
  after: Type.Optional(After),
  limit: Type.Optional(Limit),
  timeout: Type.Optional(Timeout),
});

/** One line of an agent's inbox. */
export const InboxMessage = Type.Object(
  {
    id: Type.Integer({ minimum: 1 }),
    /** The sender's handle, or `net`. */
    from: Handle,
    text: Type.String(),
    at: Instant,
    /** Delivered by the network, a word of the house, or sent to the inbox alone. */
    kind: Type.Enum(['message', 'notice', 'direct']),
    net_id: nullable(MessageId),
    thread: nullable(ThreadId),
    sender_kind: SenderKind,
    trust: Trust,
  },
  { additionalProperties: false },
);

/** An agent's inbox (D-NET-43). */
export const Inbox = Type.Object({
  agent: Handle,
  messages: Type.Array(InboxMessage),
  last_id: Type.Integer({ minimum: 0 }),
});

export const InboxSendBody = Type.Object({
  to: text({ max: 294, description: 'a handle, or an address of this house' }),
  text: text({ min: 1, max: 4000 }),
});

export const InboxSent = Type.Object({
  status: Type.Literal('sent'),
  id: Type.String({ pattern: '^dm_[A-Za-z0-9_-]{22}$' }),
});

export const WakeBody = Type.Object({ url: CallUrl });

export const Wake = Type.Object({ wake_url: nullable(Type.String()) });
