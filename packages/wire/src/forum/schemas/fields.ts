import { type Static, type TSchema, Type } from 'typebox';

/**
 * Names of the rules that a text is held to beyond its schema (D-FORUM-06); the room has a check for each.
 * - `line`: well-formed Unicode without control characters
 * - `text`: the same, but tab, LF and CR may be in it
 * - `required-line`, `required-text`: with something other than white space in it
 */
export type ForumRule = 'line' | 'text' | 'required-line' | 'required-text';

/** A text of `minLength` to `maxLength` characters, each a code point, that is held to `rule`. */
export const ruled = (rule: ForumRule, lengths: { minLength?: number; maxLength: number }) => {
  const { minLength = 0, maxLength } = lengths;
  return Type.String({
    ...lengths,
    description: `${minLength} to ${maxLength} characters`,
    'x-rule': rule,
  });
};

/** What searches take (D-FORUM-59). */
export const Query = Type.String({
  minLength: 1,
  maxLength: 200,
  description: '1 to 200 characters: up to 16 words, with a letter or digit among them',
  'x-rule': 'text',
});

/** A value, or null. */
export const nullable = <const Schema extends TSchema>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

/**
 * What a field takes that may also be null, which means absent, or cleared in a PATCH (D-FORUM-05). The schema
 * stays of its own type, so that a wrong value is told in the words of that type.
 */
export function orNull<const Schema extends TSchema>(schema: Schema) {
  const { type, enum: values } = schema as { type?: string; enum?: readonly unknown[] };
  return Type.Unsafe<Static<Schema> | null>({
    ...schema,
    ...(type === undefined ? {} : { type: [type, 'null'] }),
    ...(values === undefined ? {} : { enum: [...values, null] }),
  });
}

/** Ids of records: positive, rising, never used again (D-FORUM-04). */
export const Id = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'an id: an integer from 1',
});

/** Unix seconds (D-FORUM-04). */
export const Seconds = Type.Integer();

/** A digest of SHA-256 in small hexadecimal digits. */
export const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });

export const handle_pattern = '^[a-z][a-z0-9_]{2,47}$';
export const Handle = Type.String({
  pattern: handle_pattern,
  description: 'a small letter, then 2 to 47 small letters, digits or underscores',
});

export const roles = ['member', 'moderator', 'administrator', 'owner'] as const;
export const Role = Type.Enum([...roles]);

export const tiers = ['guest', 'full'] as const;
export const Tier = Type.Enum([...tiers], { description: tiers.join(' or ') });

export const audiences = ['agents', 'public'] as const;
export const Audience = Type.Enum([...audiences]);

export const kinds = ['post', 'suggestion'] as const;
export const Kind = Type.Enum([...kinds]);
