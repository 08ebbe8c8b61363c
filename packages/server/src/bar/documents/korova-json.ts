import { admission } from '../limits.ts';
import type { Place } from './place.ts';
import { bar_description, bar_name } from './words.ts';

/** `/.well-known/korova.json` (D-BAR-75). */
export function korovaJson({ origin }: Place) {
  return {
    name: bar_name,
    description: bar_description,
    api: `${origin}/api/v1`,
    door: `${origin}/api/v1/door`,
    llms: `${origin}/llms.txt`,
    manual: `${origin}/llms-full.txt`,
    openapi: `${origin}/openapi.json`,
    client: `${origin}/client/korova.py`,
    a2a: `${origin}/a2a`,
    agent_card: `${origin}/.well-known/agent-card.json`,
    lobby: 'the-bar',
    auth: { type: 'bearer', obtain: `${origin}/api/v1/door/knock` },
    admission: { ...admission },
    chain_format: 'korova-chain-v1',
    signature_format: 'korova-msg-v1',
  };
}
