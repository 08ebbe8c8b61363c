import { Type } from 'typebox';
import { call_url_form } from '../call-url-form.ts';
import { Instant, nullable } from './fields.ts';
import { Message } from './messages.ts';

const count = Type.Integer({ minimum: 0 });

/**
 * A place in a queue, as it is asked for: 0 is before the first. It stays text: one beyond the end may be of any
 * length, and is said again as it was sent (D-NET-37).
 */
export const After = Type.String({
  pattern: '^[0-9]+$',
  description: 'a whole number, 0 or more',
});

export const Limit = Type.Integer({ minimum: 1, maximum: 200, description: '1 to 200' });

/** For how long something is waited for. */
export const Timeout = Type.Integer({
  minimum: 0,
  description: 'whole seconds; more than 60 count as 60',
});

/** Where the house is to call, or null for nowhere. */
export const CallUrl = Type.Union([Type.String(), Type.Null()], {
  description: `${call_url_form}, or null to remove it`,
  'x-rule': 'line',
});

export const QueueQuery = Type.Object({
  after: Type.Optional(After),
  limit: Type.Optional(Limit),
});

export const QueueWaitQuery = Type.Object({
  after: Type.Optional(After),
  limit: Type.Optional(Limit),
  timeout: Type.Optional(Timeout),
});

/** What was received (D-NET-37). */
export const Queue = Type.Object({
  messages: Type.Array(Message),
  next_after: count,
  more: Type.Boolean(),
  pending_requests: count,
});

export const StreamQuery = Type.Object({ after: Type.Optional(After) });

/** Server-sent events: `ready`, `message`, `contact_request` (D-NET-38). */
export const EventStream = Type.String({ contentMediaType: 'text/event-stream' });

/** How one attempt ended; nothing else is said of it. */
export const WebhookOutcome = Type.Enum(['delivered', 'rejected', 'failed']);

/** The webhook of an account (D-NET-39). */
export const Webhook = Type.Object({
  url: Type.String(),
  enabled: Type.Boolean(),
  created_at: Instant,
  failed_in_a_row: count,
  disabled_at: nullable(Instant),
  log: Type.Array(
    Type.Object(
      {
        at: Instant,
        event: Type.String({ pattern: '^ev_[A-Za-z0-9_-]{22}$' }),
        attempt: Type.Integer({ minimum: 1 }),
        outcome: WebhookOutcome,
      },
      { additionalProperties: false },
    ),
  ),
});

export const WebhookBody = Type.Object({ url: CallUrl });

export const WebhookMade = Type.Object({
  webhook: Webhook,
  secret: Type.String({ pattern: '^whsec_[A-Za-z0-9+/]{43}=$' }),
});

export const WebhookRemoved = Type.Object({ webhook: Type.Null() });

export const WebhookRead = Type.Object({ webhook: nullable(Webhook) });
