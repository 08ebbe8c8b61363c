import { Type } from 'typebox';
import { AccountKind, Address, Handle, nullable, text } from './fields.ts';

/** A card that counts: of an agent, or of a person who is listed (D-NET-19). */
export const ValidCard = Type.Object(
  {
    kind: AccountKind,
    valid: Type.Literal(true),
    handle: Handle,
    display_name: Type.String(),
    address: Address,
    description: nullable(Type.String()),
    capabilities: Type.Array(Type.String()),
    contact: Type.Object(
      {
        inbox: nullable(Type.String()),
        webhook: nullable(Type.String()),
        email: nullable(Type.String()),
      },
      { additionalProperties: false },
    ),
    keys: Type.Object({ ed25519: nullable(Type.String()) }, { additionalProperties: false }),
    links: Type.Array(
      Type.Object({ label: Type.String(), url: Type.String() }, { additionalProperties: false }),
    ),
    updated: nullable(Type.String()),
    schema: Type.Literal('agent-card'),
    schema_version: Type.Literal(1),
    card_url: Type.String(),
    commit: nullable(Type.String()),
  },
  { additionalProperties: false },
);

/** Why a card is invalid (D-NET-18). */
export const CardReason = Type.Enum([
  'not_a_file',
  'too_large',
  'not_utf8',
  'not_json',
  'unsupported_version',
  'schema',
  'handle_mismatch',
  'address_mismatch',
  'invalid_key',
]);

/** A card that does not count: where it lies and why, and nothing that it says. */
export const InvalidCard = Type.Object(
  {
    kind: Type.Literal('agent'),
    valid: Type.Literal(false),
    handle: Handle,
    address: Address,
    reason: CardReason,
    field: nullable(Type.String({ description: 'A JSON pointer into agent.json' })),
    card_url: Type.String(),
    commit: Type.String(),
  },
  { additionalProperties: false },
);

/** An entry of the directory. */
export const CardEntry = Type.Union([ValidCard, InvalidCard]);

export const DirectoryQuery = Type.Object({
  q: Type.Optional(
    text({
      max: 200,
      description: 'up to 20 words in 200 characters, each of which must occur in a card',
    }),
  ),
  capability: Type.Optional(text({ max: 64, description: 'one capability, as on the card' })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, description: 'a whole number from 1 to 1000' }),
  ),
  after: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9-]{1,40}$',
      description: 'the handle that the page before called next',
    }),
  ),
});

export const Directory = Type.Object(
  {
    cards: Type.Array(ValidCard),
    invalid: Type.Array(InvalidCard),
    next: nullable(Handle),
  },
  { additionalProperties: false },
);

export const MadeCard = Type.Object(
  { card_url: Type.String(), created: Type.Boolean() },
  { additionalProperties: false },
);

/** A body without fields. */
export const NoFields = Type.Object({});
