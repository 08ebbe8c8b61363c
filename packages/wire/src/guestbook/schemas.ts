import { Type } from 'typebox';

const closed = { additionalProperties: false } as const;

/** Names of the string rules that a field is held to beyond its type; the server and clients share them. */
export type GuestbookRule =
  | 'name'
  | 'public-key'
  | 'signature'
  | 'fingerprint'
  | 'current-date'
  | 'message';

const ruled = (rule: GuestbookRule, description: string) =>
  Type.String({ description, 'x-rule': rule });

const hash = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description });
const instant = (description: string) =>
  Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$', description });

const name = ruled('name', '3 to 32 characters from A-Z a-z 0-9 space _ . -');
const public_key = ruled(
  'public-key',
  'the canonical padded base64 (44 characters) of the 32 bytes of an Ed25519 public key',
);
const signature = ruled(
  'signature',
  'the canonical padded base64 (88 characters) of the 64 bytes of an Ed25519 signature',
);
const agent = ruled(
  'fingerprint',
  'the 64 lowercase hex digits of the sha256 of the raw public key',
);
const date = ruled('current-date', 'the current UTC date as YYYY-MM-DD');
const message = ruled(
  'message',
  'one line of plain text, 1 to 280 characters, without control, bidi or invisible characters, angle brackets or URLs',
);

export const RegisterAgent = Type.Object({ name, publicKey: public_key, signature });

export const RegisteredAgent = Type.Object(
  { agent: hash('the fingerprint'), name: Type.String() },
  closed,
);

export const PostEntry = Type.Object({ agent, date, message, signature });

export const PostedEntry = Type.Object(
  {
    seq: Type.Integer({ minimum: 1 }),
    prevHash: hash('entryHash of the entry before; 64 zeros for entry 1'),
    entryHash: hash('sha256 of the entry'),
    postedUtc: instant('when it was appended'),
  },
  closed,
);

export const EntriesQuery = Type.Object({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: 'a seq; only later entries are given. A decimal without sign or leading zeros',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 500,
      default: 100,
      description: 'how many entries at most, from 1 to 500',
    }),
  ),
});

const VisibleEntry = Type.Object(
  {
    agent: hash('fingerprint of publicKey'),
    date: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' }),
    message: Type.String(),
    name: Type.String(),
    postedUtc: instant('when it was appended'),
    prevHash: hash('entryHash of the entry before'),
    publicKey: Type.String(),
    seq: Type.Integer({ minimum: 1 }),
    sig: Type.String(),
    v: Type.Literal(1),
    entryHash: hash('sha256 of the other ten members, printed in alphabetical order'),
  },
  closed,
);

const HiddenEntry = Type.Object(
  {
    seq: Type.Integer({ minimum: 1 }),
    prevHash: hash('entryHash of the entry before'),
    entryHash: hash('as it was when the entry was visible'),
    hidden: Type.Literal(true),
  },
  closed,
);

export const Entries = Type.Object(
  { entries: Type.Array(Type.Union([VisibleEntry, HiddenEntry])) },
  closed,
);

export const Head = Type.Object(
  {
    seq: Type.Integer({ minimum: 0 }),
    hash: hash('entryHash of the last entry; 64 zeros for an empty book'),
    updatedUtc: Type.Union([instant('postedUtc of the last entry'), Type.Null()]),
  },
  closed,
);
