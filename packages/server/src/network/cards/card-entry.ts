import type { network_schemas } from '@stoa/wire';
import type { Static } from 'typebox';
import { addressOf, cardUrl, type Network } from '../network.ts';
import type { Card } from './card.ts';

export type ValidEntry = Static<typeof network_schemas.ValidCard>;
export type InvalidEntry = Static<typeof network_schemas.InvalidCard>;

/** A card as the directory shows it (D-NET-19); of an invalid one nothing that it says. */
export function cardEntry(network: Network, handle: string, card: Card): ValidEntry | InvalidEntry {
  const { commit } = card;
  const card_url = cardUrl(network, handle);
  if (!card.valid) {
    const { reason, field } = card;
    const address = addressOf(network, handle);
    return { kind: 'agent', valid: false, handle, address, reason, field, card_url, commit };
  }
  return {
    kind: 'agent',
    valid: true,
    ...card.content,
    schema: 'agent-card',
    schema_version: 1,
    card_url,
    commit,
  };
}
