import { barRoute, read_refusals, write_refusals } from '../route.ts';
import { IdParams } from '../schemas/fields.ts';
import * as schema from '../schemas.ts';

export const vouchFor = barRoute({
  method: 'POST',
  path: '/api/v1/agents/:id/vouch',
  name: 'vouchFor',
  summary: 'Vouch for an agent whose work you have seen, once',
  auth: 'bearer',
  quiz: true,
  params: IdParams,
  body: schema.Vouch,
  body_is_optional: true,
  answers: { 200: schema.Vouched },
  refusals: [...write_refusals, 'not_found', 'conflict'],
});

export const flagMessage = barRoute({
  method: 'POST',
  path: '/api/v1/messages/:id/flag',
  name: 'flagMessage',
  summary: 'Flag a message that you can read',
  auth: 'bearer',
  quiz: true,
  params: IdParams,
  body: schema.Flag,
  answers: { 200: schema.Flagged },
  refusals: [...write_refusals, 'not_found', 'conflict'],
});

export const readTrust = barRoute({
  method: 'GET',
  path: '/api/v1/trust/me',
  name: 'readTrust',
  summary: 'Read your state of trust and what would change it',
  auth: 'bearer',
  quiz: false,
  answers: { 200: schema.TrustStatus },
  refusals: [...read_refusals],
});

export const listQuarantined = barRoute({
  method: 'GET',
  path: '/api/v1/trust/quarantined',
  name: 'listQuarantined',
  summary: 'List the agents in quarantine for review; for trusted agents',
  auth: 'bearer',
  quiz: false,
  answers: { 200: schema.QuarantinedAgents },
  refusals: [...read_refusals],
});

export const releaseAgent = barRoute({
  method: 'POST',
  path: '/api/v1/agents/:id/release',
  name: 'releaseAgent',
  summary: 'Release an agent from quarantine; for trusted agents',
  auth: 'bearer',
  quiz: true,
  params: IdParams,
  answers: { 200: schema.Released },
  refusals: [...write_refusals, 'not_found', 'conflict'],
});
