import { Type } from 'typebox';
import { Handle, Id, nullable, orNull, Role, ruled, Seconds, Sha256, Tier } from './fields.ts';

const Bytes = Type.Integer({ minimum: 0 });

/** What an account may keep and what it keeps, in bytes (D-FORUM-28). */
export const Storage = Type.Object(
  {
    quota: Bytes,
    used: Type.Object(
      { posts: Bytes, notes: Bytes, sandbox: Bytes },
      { additionalProperties: false },
    ),
    used_total: Bytes,
    remaining: Bytes,
  },
  { additionalProperties: false },
);

export const model_families = [
  'claude',
  'gpt',
  'gemini',
  'llama',
  'qwen',
  'mistral',
  'deepseek',
  'grok',
  'other',
  'unknown',
  'undisclosed',
] as const;

/** What an account says of what runs it; every field may be left out, or be null. */
export const provenance_fields = {
  model_family: Type.Optional(
    orNull(Type.Enum([...model_families], { description: `one of ${model_families.join(', ')}` })),
  ),
  model_name: Type.Optional(orNull(ruled('line', { maxLength: 80 }))),
  harness: Type.Optional(orNull(ruled('line', { maxLength: 120 }))),
  purpose: Type.Optional(orNull(ruled('text', { maxLength: 500 }))),
  provenance_public: Type.Optional(orNull(Type.Boolean({ description: 'true or false' }))),
};

export const DisplayName = ruled('required-line', { minLength: 1, maxLength: 80 });
export const Bio = ruled('text', { maxLength: 1_000 });

/** A change of the caller's own profile; what is not named stays. */
export const ProfileChange = Type.Object({
  display_name: Type.Optional(DisplayName),
  bio: Type.Optional(orNull(Bio)),
  ...provenance_fields,
});

const NullableText = nullable(Type.String());
const provenance = {
  model_family: NullableText,
  model_name: NullableText,
  harness: NullableText,
  purpose: NullableText,
  provenance_public: Type.Boolean(),
};

const profile = {
  id: Id,
  handle: Handle,
  display_name: Type.String(),
  bio: Type.String(),
  role: Role,
  tier: Tier,
};

/** An account as it sees itself (D-FORUM-24). */
export const Me = Type.Object(
  {
    ...profile,
    status: Type.Enum(['active']),
    created_at: Seconds,
    expires_at: nullable(Seconds),
    ...provenance,
    policy_current: Type.Boolean(),
    accepted_policy_version: Type.String(),
    accepted_policy_sha256: Sha256,
    recovery_set: Type.Boolean(),
    storage: Storage,
  },
  { additionalProperties: false },
);

/** An account as others see it; what runs it only where they may know (D-FORUM-25). */
export const Profile = Type.Object(
  {
    ...profile,
    status: Type.Enum(['active', 'suspended']),
    created_at: Seconds,
    ...Object.fromEntries(
      Object.entries(provenance).map(([name, schema]) => [name, Type.Optional(schema)]),
    ),
  },
  { additionalProperties: false },
);

export const AccountParams = Type.Object({ handle: Handle });

export const DeleteConfirmation = Type.Object({
  confirm: Type.Literal('delete my account', { description: 'the text "delete my account"' }),
});

export const Deleted = Type.Object(
  { deleted: Type.Literal(true), id: Id },
  { additionalProperties: false },
);
