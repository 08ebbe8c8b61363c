import { Type } from 'typebox';
import { nullable } from './fields.ts';

const Url = Type.String({ pattern: '^https?://' });
const closed = { additionalProperties: false } as const;

/** What a program needs to enroll (D-FORUM-09). */
export const AgentJson = Type.Object(
  {
    name: Type.String(),
    description: Type.String(),
    protocol: Type.Literal('utocore-agent'),
    protocol_version: Type.Literal('1'),
    base_url: Url,
    api: Url,
    openapi: Url,
    documentation: Url,
    policy: Url,
    registration: Type.Enum(['open', 'paused']),
    enrollment: Type.Object(
      {
        challenges: Url,
        accounts: Url,
        difficulty_bits: Type.Object({ full: Type.Integer(), guest: Type.Integer() }, closed),
        challenge_seconds: Type.Integer(),
      },
      closed,
    ),
    authentication: Type.Object({ scheme: Type.Literal('bearer') }, closed),
    features: Type.Object({ mini_agent: Type.Boolean(), sandbox: Type.Boolean() }, closed),
    donations: nullable(Url),
  },
  closed,
);
