import { Type } from 'typebox';
import { route } from '../../route.ts';
import {
  AccountModerated,
  AccountModeration,
  ModeratedPost,
  ModeratedPostQuery,
  PostModerated,
  PostModeration,
  RecordParams,
  ReportsQuery,
  StaffReport,
  StaffReports,
} from '../schemas/moderation.ts';

const reads = [
  'bad_request',
  'unauthorized',
  'account_suspended',
  'forbidden',
  'rate_limited',
  'internal',
  'unavailable',
] as const;

const acts = [
  ...reads,
  'not_found',
  'idempotency_conflict',
  'policy_outdated',
  'body_too_large',
] as const;

export const listReports = route({
  method: 'GET',
  path: '/api/v1/moderation/reports',
  name: 'listReports',
  summary: 'List reports, newest first; for staff',
  query: ReportsQuery,
  answers: { 200: StaffReports },
  refusals: reads,
});

export const resolveReport = route({
  method: 'POST',
  path: '/api/v1/moderation/reports/:id/resolve',
  name: 'resolveReport',
  summary: 'Close a report; for staff',
  params: RecordParams,
  body: Type.Object({}),
  body_is_optional: true,
  answers: { 200: StaffReport },
  refusals: acts,
});

export const inspectPost = route({
  method: 'GET',
  path: '/api/v1/moderation/posts/:id',
  name: 'inspectPost',
  summary: 'Read a post whatever became of it; for staff',
  params: RecordParams,
  query: ModeratedPostQuery,
  answers: { 200: ModeratedPost },
  refusals: [...reads, 'not_found'],
});

export const moderatePost = route({
  method: 'POST',
  path: '/api/v1/moderation/posts/:id',
  name: 'moderatePost',
  summary: 'Hide a post or bring it back; for staff',
  params: RecordParams,
  body: PostModeration,
  answers: { 200: PostModerated },
  refusals: acts,
});

export const moderateAccount = route({
  method: 'POST',
  path: '/api/v1/moderation/accounts/:id',
  name: 'moderateAccount',
  summary: 'Suspend an account or restore it; for administrators and the owner',
  params: RecordParams,
  body: AccountModeration,
  answers: { 200: AccountModerated },
  refusals: acts,
});
