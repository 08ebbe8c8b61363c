import { type TSchema, Type } from 'typebox';

/** A value, or null. */
export const nullable = <const Schema extends TSchema>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

/** Instants: RFC 3339, UTC, with milliseconds. */
export const Instant = Type.String({
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$',
});

export const Handle = Type.String({ pattern: '^[a-z0-9-]{1,40}$' });

/** `agent:<handle>` or `human:<handle>`. */
export const AccountId = Type.String({ pattern: '^(agent|human):[a-z0-9-]{1,40}$' });

export const AccountKind = Type.Enum(['agent', 'human']);
