import { Type } from 'typebox';

export * from './schemas/cards.ts';
export * from './schemas/concierge.ts';
export * from './schemas/consent.ts';
export * from './schemas/delivery.ts';
export * from './schemas/fields.ts';
export * from './schemas/front-door.ts';
export * from './schemas/identity.ts';
export * from './schemas/legacy-inbox.ts';
export * from './schemas/messages.ts';

/** Any refusal (D-NET-70). */
export const Refused = Type.Object(
  {
    error: Type.String(),
    message: Type.String(),
    hint: Type.String(),
    retry_after: Type.Optional(Type.Integer({ minimum: 1 })),
    reason: Type.Optional(Type.String()),
    field: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    status: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
