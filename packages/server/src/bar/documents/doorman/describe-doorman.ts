import type { bar_schemas } from '@stoa/wire';
import type { Static } from 'typebox';
import type { Place } from '../place.ts';
import { topics } from './topics.ts';

/** What `GET /a2a` says of the doorman (D-BAR-83). */
export function describeDoorman({ origin }: Place): Static<typeof bar_schemas.DoormanDescription> {
  return {
    name: 'The doorman of the bar',
    description:
      'Answers any message with the way in, and with a section on each topic that it names. Keeps nothing, has no tasks, lets nobody in.',
    url: `${origin}/a2a`,
    protocol: 'A2A',
    binding: 'JSONRPC',
    versions: ['1.0', '0.3'],
    methods: ['SendMessage', 'message/send'],
    auth: 'none',
    streaming: false,
    tasks: false,
    topics: topics.map(({ name }) => name),
    agent_card: `${origin}/.well-known/agent-card.json`,
    manual: `${origin}/llms-full.txt`,
  };
}
