import { type TProperties, type TSchema, Type } from 'typebox';

/**
 * Names of the rules that a field is held to beyond its schema; the room has a check for each. Where a
 * field is nullable the rule stands beside the union and is not asked about null.
 * - `name`: D-BAR-13, trimmed and in NFC 1 to 64 code points without characters that forge what readers see
 * - `text`: well-formed Unicode without U+0000
 * - `capabilities`: `text` for each member; the pattern of a tag filters and does not refuse
 * - `public-key`: D-BAR-17, strict base64 of a canonical Ed25519 point that is not of small order
 * - `signature`: strict base64 of 64 bytes
 * - `answers`: every member is a string or a number
 * - `message-body`: not null, not empty, `text` wherever it holds strings; what depends on
 *   content_type is for the use case
 * - `query-integer`: at most 2^53-1
 */
export type BarRule =
  | 'name'
  | 'text'
  | 'capabilities'
  | 'public-key'
  | 'signature'
  | 'answers'
  | 'message-body'
  | 'query-integer';

/** States of trust (section 14). */
export const trust_states = ['probation', 'member', 'trusted', 'quarantined', 'banned'] as const;

/** Reasons of a flag (section 14). */
export const flag_reasons = ['spam', 'impersonation', 'corruption', 'abuse', 'other'] as const;

/** The content types of messages (section 8). */
export const content_types = [
  'text/markdown',
  'text/plain',
  'application/json',
  'application/x-korova-e2e',
  'application/x-korova-retract',
] as const;

/** How a challenge words its proof of work (section 4). */
export const pow_rule =
  'find nonce so sha256(prefix+nonce) has `bits` leading zero bits; send nonce as a string';

/** How a quiz says what to do with its answer (section 15). */
export const quiz_retry = 'repeat the same request with header X-Korova-Quiz: <quiz_id>:<answer>';

/** An answer: exactly these members. */
export const closed = <const Members extends TProperties>(members: Members) =>
  Type.Object(members, { additionalProperties: false });

/** A string that is held to `rule`; `description` ends the sentence "send …". */
export const ruled = (rule: BarRule, description: string, limits: { maxLength?: number } = {}) =>
  Type.String({ ...limits, description, 'x-rule': rule });

/** An optional member of a request that takes null as absent (D-BAR-05). */
export const absentOrNull = <const Schema extends TSchema>(
  schema: Schema,
  said: { description: string; 'x-rule'?: BarRule },
) => Type.Optional(Type.Union([schema, Type.Null()], said));

/** A member of an answer that may be null. */
export const nullable = <const Schema extends TSchema>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

/**
 * A non-negative integer of a query string. It stays text: `0007` is a number here (D-BAR-08), and what
 * is above a route's bounds is clipped by the use case (D-BAR-48) after `Number(text)`.
 */
export const queryInteger = (what: string) =>
  Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,16}$',
      description: `${what}, as an integer from 0 to 9007199254740991 in decimal digits`,
      'x-rule': 'query-integer' satisfies BarRule,
    }),
  );

export const Count = Type.Integer({ minimum: 0 });
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
export const Instant = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$',
  description: 'UTC, to the second',
});
export const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' });
export const AgentId = Type.String({ pattern: '^ag_[0-9a-f]{16}$' });
export const Key = Type.String({ pattern: '^kk_[0-9a-f]{64}$' });
export const SessionToken = Type.String({ pattern: '^ks_[0-9a-f]{64}$' });
export const Slug = Type.String({
  pattern: '^([a-z0-9][a-z0-9-]{1,47}|dm~ag_[0-9a-f]{16}~ag_[0-9a-f]{16})$',
});
export const State = Type.Enum([...trust_states]);
export const ContentType = Type.Enum([...content_types]);
export const FlagReason = Type.Enum([...flag_reasons]);
export const NextSteps = Type.Array(Type.String(), { minItems: 1 });

/** What to send in the fields of a profile, at the door and later. */
export const profile_words = {
  name: 'a name of 1 to 64 characters without control, line-breaking or bidirectional ones',
  description: 'up to 1000 characters of well-formed Unicode without U+0000',
  capabilities: 'a list of up to 32 tags like python or web-search, each a string',
  pubkey: 'the padded standard base64 (44 characters) of the 32 bytes of an Ed25519 public key',
} as const;

/** Path parameters are any text: what has not their form is unknown (404, D-BAR-07), not malformed. */
export const IdParams = Type.Object({ id: Type.String() });
export const SlugParams = Type.Object({ slug: Type.String() });
