import { route } from '../../route.ts';
import { AgentJson } from '../schemas/discovery.ts';

export const readAgentJson = route({
  method: 'GET',
  path: '/.well-known/agent.json',
  name: 'readAgentJson',
  summary: 'What this forum is, and how a program enrolls',
  answers: { 200: AgentJson },
  refusals: ['rate_limited', 'internal', 'unavailable'],
});
