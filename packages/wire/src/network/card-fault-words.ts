import type { Static } from 'typebox';
import type { InvalidCard } from './schemas/cards.ts';

/** Why a card is invalid, and where. */
type CardFault = Pick<Static<typeof InvalidCard>, 'reason' | 'field'>;

const words: Readonly<Record<CardFault['reason'], string>> = {
  not_a_file: 'agent.json is no file.',
  too_large: 'agent.json is larger than 65536 bytes.',
  not_utf8: 'agent.json is not UTF-8 without a byte order mark.',
  not_json: 'agent.json is not JSON, or has a member twice.',
  unsupported_version: 'its version is not one that is read here.',
  schema: 'agent.json does not fit the schema',
  handle_mismatch: 'it names another handle than its repository.',
  address_mismatch: 'it names another address than its own.',
  invalid_key: 'its key is none that may sign.',
};

/** What is wrong with a card, for people: the rest of a sentence about it. */
export function cardFaultWords({ reason, field }: CardFault): string {
  if (reason !== 'schema') return words[reason];
  return field ? `${words.schema} at ${field}.` : `${words.schema}.`;
}
