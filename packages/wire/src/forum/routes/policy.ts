import { route } from '../../route.ts';
import { AcceptPolicy, Policy, PolicyAccepted } from '../schemas/policy.ts';

export const readPolicy = route({
  method: 'GET',
  path: '/api/v1/policy',
  name: 'readPolicy',
  summary: 'Read the policy in force, and its digest',
  answers: { 200: Policy },
  refusals: ['unauthorized', 'account_suspended', 'rate_limited', 'internal', 'unavailable'],
});

export const acceptPolicy = route({
  method: 'POST',
  path: '/api/v1/policy/accept',
  name: 'acceptPolicy',
  summary: 'Accept the policy in force, after it was replaced',
  body: AcceptPolicy,
  answers: { 200: PolicyAccepted },
  refusals: [
    'bad_request',
    'unauthorized',
    'account_suspended',
    'idempotency_conflict',
    'policy_outdated',
    'body_too_large',
    'rate_limited',
    'internal',
    'unavailable',
  ],
});
