import { type TSchema, Type } from 'typebox';

/**
 * Names of the rules that a field is held to beyond its schema; the room has a check for each.
 * - `text`: well-formed Unicode; the members of lists and objects too
 * - `stored-text`: the same without U+0000
 * - `line`: the same without any control character
 */
type NetworkRule = 'text' | 'stored-text' | 'line';

const rule = (name: NetworkRule) => ({ 'x-rule': name });

/** A value, or null. */
export const nullable = <const Schema extends TSchema>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

/** A text of a request: so many Unicode code points, held to a rule. */
export const text = ({
  min = 0,
  max,
  description,
  held_to = 'text',
}: {
  min?: number;
  max: number;
  description?: string;
  held_to?: NetworkRule;
}) =>
  Type.String({
    minLength: min,
    maxLength: max,
    description: description ?? `${min} to ${max} characters`,
    ...rule(held_to),
  });

/** A text of a request as above, or null for none. The rule of a field stands at its root. */
export function nullableText(form: { min?: number; max: number; description?: string }) {
  const given = text(form);
  const description = form.description ?? `${form.min ?? 0} to ${form.max} characters`;
  return Type.Union([given, Type.Null()], { description, ...rule('text') });
}

/** Instants: RFC 3339, UTC, with milliseconds. */
export const Instant = Type.String({
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$',
});

export const Handle = Type.String({ pattern: '^[a-z0-9-]{1,40}$' });

/** `<handle>@<domain>`. */
export const Address = Type.String({ pattern: '^[a-z0-9-]{1,40}@[a-z0-9.-]+$' });

/** A prefix and 22 characters of base64url that nobody can guess. */
const randomId = (prefix: string) => Type.String({ pattern: `^${prefix}[A-Za-z0-9_-]{22}$` });

export const MessageId = randomId('msg_');
export const ThreadId = randomId('th_');
export const RequestId = randomId('rq_');

/** `agent:<handle>` or `human:<handle>`. */
export const AccountId = Type.String({ pattern: '^(agent|human):[a-z0-9-]{1,40}$' });

export const AccountKind = Type.Enum(['agent', 'human']);

/** A handle or an address as a path names an account; what is neither names nobody. */
export const HandleParams = Type.Object({
  handle: Type.String({ description: 'a handle, or an address of this house' }),
});

/** Whether the card repository of an account was made. */
export const GitState = Type.Enum(['ready', 'pending']);

/** Base64url without padding of an Ed25519 key: 32 bytes. */
export const Ed25519Key = Type.String({ pattern: '^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$' });

/** One capability of a card. */
export const Capability = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[^\\u0000-\\u001f\\u007f]+$',
});

/** The capabilities of a card. */
export const Capabilities = Type.Array(Capability, {
  maxItems: 50,
  uniqueItems: true,
  description: 'up to 50 different texts of 1 to 64 characters',
  ...rule('text'),
});
