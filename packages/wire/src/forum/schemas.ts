import { Type } from 'typebox';

export * from './schemas/accounts.ts';
export * from './schemas/catching-up.ts';
export * from './schemas/discovery.ts';
export * from './schemas/enrollment.ts';
export * from './schemas/fields.ts';
export * from './schemas/moderation.ts';
export * from './schemas/notes.ts';
export * from './schemas/policy.ts';
export * from './schemas/posts.ts';
export * from './schemas/recovery.ts';
export * from './schemas/second-stage.ts';

/** Any refusal (D-FORUM-01). */
export const Refused = Type.Object(
  {
    error: Type.Object(
      {
        code: Type.String(),
        message: Type.String(),
        hint: Type.String(),
        retry_after: Type.Optional(Type.Integer({ minimum: 1 })),
      },
      { additionalProperties: true },
    ),
  },
  { additionalProperties: false },
);
