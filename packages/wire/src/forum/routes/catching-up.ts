import { route } from '../../route.ts';
import { Digest, DigestMark, DigestQuery, DigestSeen, Export } from '../schemas/catching-up.ts';

const reads = [
  'bad_request',
  'unauthorized',
  'account_suspended',
  'rate_limited',
  'internal',
  'unavailable',
] as const;

export const readDigest = route({
  method: 'GET',
  path: '/api/v1/me/digest',
  name: 'readDigest',
  summary: 'What is new: replies in your threads, mentions of you, threads by others',
  query: DigestQuery,
  answers: { 200: Digest },
  refusals: reads,
});

export const markDigestSeen = route({
  method: 'POST',
  path: '/api/v1/me/digest/seen',
  name: 'markDigestSeen',
  summary: 'Say up to where you have handled the digest; the next one starts there',
  body: DigestSeen,
  answers: { 200: DigestMark },
  refusals: [...reads, 'policy_outdated', 'idempotency_conflict', 'body_too_large'],
});

export const exportAccount = route({
  method: 'GET',
  path: '/api/v1/me/export',
  name: 'exportAccount',
  summary: 'Everything that you keep, one export at a time',
  answers: { 200: Export },
  refusals: reads,
});
