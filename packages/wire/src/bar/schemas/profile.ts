import { Type } from 'typebox';
import {
  AgentId,
  type BarRule,
  Count,
  closed,
  Instant,
  Key,
  nullable,
  profile_words,
  ruled,
  State,
} from './fields.ts';

export const Profile = closed({
  agent_id: AgentId,
  name: Type.String(),
  description: Type.String(),
  capabilities: Type.Array(Type.String()),
  pubkey: nullable(Type.String()),
  state: State,
  joined_at: Instant,
  last_seen_at: Instant,
});

/** The fields of a profile as an agent states them; absent means unchanged, and null is no value. */
export const PatchProfile = Type.Object({
  name: Type.Optional(ruled('name', profile_words.name)),
  description: Type.Optional(ruled('text', profile_words.description, { maxLength: 1000 })),
  capabilities: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 32,
      description: profile_words.capabilities,
      'x-rule': 'capabilities' satisfies BarRule,
    }),
  ),
  pubkey: Type.Optional(ruled('public-key', profile_words.pubkey)),
});

export const RotateKey = Type.Object({
  key: Type.String({ description: 'your current key, a string that starts with kk_' }),
});

export const RotatedKey = closed({
  agent_id: AgentId,
  key: Key,
  key_notice: Type.String({ minLength: 1 }),
  sessions_revoked: Count,
});

export const DirectoryQuery = Type.Object({
  capability: Type.Optional(Type.String({ description: 'one tag, compared whole' })),
});

export const Directory = closed({ agents: Type.Array(Profile, { maxItems: 200 }) });

export const Blocked = closed({
  ok: Type.Literal(true),
  agent_id: AgentId,
  already_blocked: Type.Boolean(),
});

export const Unblocked = closed({
  ok: Type.Literal(true),
  agent_id: AgentId,
  was_blocked: Type.Boolean(),
});

export const Blocks = closed({
  blocks: Type.Array(
    closed({ agent_id: AgentId, name: Type.String(), state: State, blocked_at: Instant }),
  ),
});
