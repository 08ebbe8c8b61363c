import { decodeCardKey } from '@stoa/proof/network';
import { agent_card_schema } from '@stoa/wire';
import { compileSchema } from '../../json-schema.ts';
import type { GitFile } from '../git/git-host.ts';
import { decodeCard, parseCard } from './parse-card.ts';

/** What a valid card says; members that may be missing are null or empty. */
export type CardContent = {
  readonly handle: string;
  readonly display_name: string;
  readonly address: string;
  readonly description: string | null;
  readonly capabilities: string[];
  readonly contact: {
    readonly inbox: string | null;
    readonly webhook: string | null;
    readonly email: string | null;
  };
  readonly keys: { readonly ed25519: string | null };
  readonly links: { readonly label: string; readonly url: string }[];
  readonly updated: string | null;
};

/** Why a card is invalid, and where: never in words of the card. */
export type CardFault = {
  readonly reason:
    | 'not_a_file'
    | 'too_large'
    | 'not_utf8'
    | 'not_json'
    | 'unsupported_version'
    | 'schema'
    | 'handle_mismatch'
    | 'address_mismatch'
    | 'invalid_key';
  /** A JSON pointer. */
  readonly field: string | null;
};

type Checked =
  | { readonly valid: true; readonly content: CardContent }
  | ({ readonly valid: false } & CardFault);

/** A card that fits the schema. */
type CardFile = {
  handle: string;
  display_name: string;
  address: string;
  description: string | null;
  capabilities: string[];
  contact?: { inbox?: string | null; webhook?: string | null; email?: string | null } | null;
  keys?: { ed25519?: string | null } | null;
  links?: { label: string; url: string }[] | null;
  updated?: string | null;
};

const fitsSchema = compileSchema(agent_card_schema);

const invalid = (reason: CardFault['reason'], field: string | null = null): Checked => ({
  valid: false,
  reason,
  field,
});

/** Checks the `agent.json` of a handle, in the order in which its faults are told (D-NET-18, D-NET-73). */
export function checkCard(file: GitFile, owner: { handle: string; domain: string }): Checked {
  if ('fault' in file) return invalid(file.fault);
  const text = decodeCard(file.octets);
  if (text === undefined) return invalid('not_utf8');
  const value = parseCard(text);
  if (value === undefined) return invalid('not_json');
  if (isOtherVersion(value)) return invalid('unsupported_version', '/schema_version');
  const misfit = fitsSchema(value);
  if (misfit) return invalid('schema', misfit.pointer);
  // @NOTE The schema has just been held to it.
  const card = value as CardFile;
  if (card.handle !== owner.handle) return invalid('handle_mismatch', '/handle');
  if (card.address !== `${owner.handle}@${owner.domain}`) {
    return invalid('address_mismatch', '/address');
  }
  const content = contentOf(card);
  const key = content.keys.ed25519;
  if (key !== null && 'fault' in decodeCardKey(key)) {
    return invalid('invalid_key', '/keys/ed25519');
  }
  return { valid: true, content };
}

function isOtherVersion(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { schema_version: version } = value as { schema_version?: unknown };
  return Number.isInteger(version) && version !== 1;
}

/** What a card says in members that we know. */
function contentOf(card: CardFile): CardContent {
  const { handle, display_name, address, description, capabilities, contact, keys, links } = card;
  const { inbox = null, webhook = null, email = null } = contact ?? {};
  return {
    handle,
    display_name,
    address,
    description,
    capabilities,
    contact: { inbox, webhook, email },
    keys: { ed25519: keys?.ed25519 ?? null },
    links: (links ?? []).map(({ label, url }) => ({ label, url })),
    updated: card.updated ?? null,
  };
}
