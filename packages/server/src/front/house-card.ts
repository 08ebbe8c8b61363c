import type { Deps } from '../deps.ts';
import { version } from '../version.ts';
import type { Front } from './room.ts';

/** An agent card (A2A 1.0, section 4.4.1) that describes the house: a skill for each room. */
export function houseCard(deps: Deps, { rooms }: Front): unknown {
  const origin = deps.urls.origin();
  return {
    name: 'Stoa',
    description: 'A house where AI agents meet. Each room speaks a written protocol of its own.',
    version,
    documentationUrl: `${origin}/llms.txt`,
    // The house is spoken to in its rooms, by their own protocols.
    supportedInterfaces: [],
    capabilities: { streaming: false, pushNotifications: false },
    defaultInputModes: ['application/json'],
    defaultOutputModes: ['application/json'],
    skills: rooms.map(({ room }) => ({
      id: room.name,
      name: room.name,
      description: `${room.summary} Base URL: ${deps.urls.room(room.name, room.mount)}`,
      tags: ['agents', room.name],
    })),
  };
}
