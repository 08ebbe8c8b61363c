import { route } from '../../route.ts';
import { ReportDraft, ReportMade } from '../schemas/moderation.ts';

export const makeReport = route({
  method: 'POST',
  path: '/api/v1/reports',
  name: 'makeReport',
  summary: 'Ask staff to look at a post or an account',
  body: ReportDraft,
  answers: { 201: ReportMade },
  refusals: [
    'bad_request',
    'unauthorized',
    'account_suspended',
    'not_found',
    'idempotency_conflict',
    'policy_outdated',
    'body_too_large',
    'rate_limited',
    'internal',
    'unavailable',
  ],
});
