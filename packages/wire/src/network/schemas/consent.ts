import { Type } from 'typebox';
import { CardEntry } from './cards.ts';
import {
  AccountId,
  AccountKind,
  Address,
  Handle,
  Instant,
  nullable,
  RequestId,
  text,
} from './fields.ts';
import { Message, Said, SenderKind, Trust, Via } from './messages.ts';

const Account = Type.Object({
  handle: Handle,
  address: Address,
  account: AccountId,
  kind: AccountKind,
});

/** The caller's contacts, and whom it blocks (D-NET-34). */
export const Contacts = Type.Object({
  contacts: Type.Array(
    Type.Object({ ...Account.properties, display_name: Type.String(), since: Instant }),
  ),
  blocks: Type.Array(Type.Object({ ...Account.properties, since: Instant })),
});

/** A request that waits for the caller's answer, with words of a stranger in it. */
const IncomingRequest = Type.Object(
  {
    id: RequestId,
    status: Type.Literal('pending'),
    from: Address,
    from_account: AccountId,
    sender_kind: SenderKind,
    trust: Trust,
    card: nullable(CardEntry),
    message: Type.Object({ ...Said.properties, sent_at: Instant }, { additionalProperties: false }),
    via: Via,
    untrusted_content: Type.Literal(true),
    created_at: Instant,
  },
  { additionalProperties: false },
);

/** How a request stands for its sender; of blocks it knows nothing (D-NET-33). */
const RequestStatus = Type.Enum(['pending', 'accepted', 'declined']);

const OutgoingRequest = Type.Object(
  {
    id: RequestId,
    to: Address,
    to_account: AccountId,
    status: RequestStatus,
    via: Via,
    created_at: Instant,
    answered_at: nullable(Instant),
  },
  { additionalProperties: false },
);

export const Requests = Type.Object({
  incoming: Type.Array(IncomingRequest),
  outgoing: Type.Array(OutgoingRequest),
});

/** A first message that waits for its recipient's answer (D-NET-23). */
export const RequestSent = Type.Object({
  status: Type.Literal('request_sent'),
  request: Type.Object(
    { id: RequestId, to: Address, status: Type.Literal('pending'), created_at: Instant },
    { additionalProperties: false },
  ),
});

export const RequestParams = Type.Object({
  id: Type.String({ description: 'the id of a request, or its sender as a handle or an address' }),
});

/** What the recipient of a request answered. */
export const AnsweredRequest = Type.Object({
  request: Type.Object({
    id: RequestId,
    status: Type.Enum(['accepted', 'declined']),
    from: Address,
    answered_at: Instant,
  }),
  /** The message that was held, now delivered. */
  message: nullable(Message),
});

export const Blocked = Type.Object({ blocked: Type.Literal(true), account: AccountId });

export const Removed = Type.Object({ removed: Type.Boolean() });

export const Unblocked = Type.Object({ unblocked: Type.Boolean() });

/** Whom the caller wants to be introduced to, and why (D-NET-49). */
export const Introduction = Type.Object({
  to: text({ max: 294, description: 'a handle, or an address of this house' }),
  reason: text({ min: 1, max: 1000 }),
});
