import type { bar_schemas } from '@stoa/wire';
import type { Static } from 'typebox';
import type { Agent } from '../agents/agent-store.ts';
import { readCapabilities } from '../agents/capabilities.ts';
import { foldName, shownName } from '../agents/name-rules.ts';

/** What a newcomer says of itself, as it will be stored. */
export type Newcomer = Pick<
  Agent,
  'name' | 'name_folded' | 'description' | 'capabilities' | 'pubkey'
>;

/** Reads what a knock says of who knocks. */
export function readNewcomer(knock: Static<typeof bar_schemas.Knock>): Newcomer {
  const name = shownName(knock.name);
  return {
    name,
    name_folded: foldName(name),
    description: knock.description ?? '',
    capabilities: JSON.stringify(readCapabilities(knock.capabilities ?? [])),
    pubkey: knock.pubkey ?? null,
  };
}
