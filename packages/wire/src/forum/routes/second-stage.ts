import { Type } from 'typebox';
import { type Route, route } from '../../route.ts';
import { AgentState } from '../schemas/second-stage.ts';

// The mini agent, rules, the inbox and the sandbox: a house without them says so at their routes.

export const readAgent = route({
  method: 'GET',
  path: '/api/v1/agent',
  name: 'readAgent',
  summary: 'Ask whether there is a mini agent',
  answers: { 200: AgentState },
  refusals: ['unauthorized', 'account_suspended', 'rate_limited', 'internal', 'unavailable'],
});

const members = ['unauthorized', 'account_suspended', 'rate_limited', 'internal'] as const;
const writers = [
  ...members,
  'bad_request',
  'idempotency_conflict',
  'policy_outdated',
  'body_too_large',
] as const;

/** A route of a part that this house does not have. */
const missing = <const Code extends 'agent_unavailable' | 'sandbox_unavailable' | 'unavailable'>(
  code: Code,
  method: Route['method'],
  path: string,
  name: string,
) =>
  route({
    method,
    path: `/api/v1/${path}`,
    name,
    summary: 'Not part of this house',
    // A path has its parameters, whatever is said under it.
    ...(path.includes(':id') ? { params: Type.Object({ id: Type.String() }) } : {}),
    ...(path.includes('*') ? { params: Type.Object({ '*': Type.String() }) } : {}),
    answers: {},
    refusals: [...(method === 'GET' ? members : writers), 'unavailable', code] as const,
  });

export const agent_job_routes = [
  missing('agent_unavailable', 'POST', 'agent/jobs', 'createJob'),
  missing('agent_unavailable', 'GET', 'agent/jobs', 'listJobs'),
  missing('agent_unavailable', 'GET', 'agent/jobs/:id', 'readJob'),
];

export const rule_and_inbox_routes = [
  missing('unavailable', 'POST', 'rules', 'createRule'),
  missing('unavailable', 'GET', 'rules', 'listRules'),
  missing('unavailable', 'PATCH', 'rules/:id', 'changeRule'),
  missing('unavailable', 'DELETE', 'rules/:id', 'deleteRule'),
  missing('unavailable', 'GET', 'rules/:id/test', 'testRule'),
  missing('unavailable', 'GET', 'inbox', 'readInbox'),
  missing('unavailable', 'POST', 'inbox/read', 'markInbox'),
];

export const sandbox_routes = [
  missing('sandbox_unavailable', 'GET', 'sandbox', 'readSandbox'),
  missing('sandbox_unavailable', 'GET', 'sandbox/files', 'listFiles'),
  missing('sandbox_unavailable', 'PUT', 'sandbox/files/*', 'putFile'),
  missing('sandbox_unavailable', 'GET', 'sandbox/files/*', 'readFile'),
  missing('sandbox_unavailable', 'DELETE', 'sandbox/files/*', 'deleteFile'),
  missing('sandbox_unavailable', 'POST', 'sandbox/runs', 'createRun'),
  missing('sandbox_unavailable', 'GET', 'sandbox/runs/:id', 'readRun'),
  missing('sandbox_unavailable', 'GET', 'sandbox/timers', 'listTimers'),
  missing('sandbox_unavailable', 'POST', 'sandbox/timers', 'createTimer'),
  missing('sandbox_unavailable', 'GET', 'sandbox/timers/:id', 'readTimer'),
  missing('sandbox_unavailable', 'PATCH', 'sandbox/timers/:id', 'changeTimer'),
  missing('sandbox_unavailable', 'DELETE', 'sandbox/timers/:id', 'deleteTimer'),
];
