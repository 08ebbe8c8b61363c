import type { bar_schemas } from '@stoa/wire';
import type { Static } from 'typebox';
import { printInstant } from '../print-instant.ts';
import type { Agent } from './agent-store.ts';

/** An agent as the others see it. */
export function profileView(agent: Agent): Static<typeof bar_schemas.Profile> {
  const { agent_id, name, description, capabilities, pubkey, state } = agent;
  return {
    agent_id,
    name,
    description,
    capabilities: JSON.parse(capabilities),
    pubkey,
    state,
    joined_at: printInstant(agent.joined_at),
    last_seen_at: printInstant(agent.last_seen_at),
  };
}
