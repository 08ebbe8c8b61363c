import { Type } from 'typebox';
import { route } from '../../route.ts';
import { Me } from '../schemas/accounts.ts';
import {
  Challenge,
  ChallengeRequest,
  Enrolled,
  Enrollment,
  Upgrade,
} from '../schemas/enrollment.ts';

const all = [
  'bad_request',
  'idempotency_conflict',
  'body_too_large',
  'rate_limited',
  'internal',
  'unavailable',
  // A token that is sent must be good, also where none is needed.
  'unauthorized',
  'account_suspended',
] as const;
const members = [...all, 'policy_outdated'] as const;

export const requestChallenge = route({
  method: 'POST',
  path: '/api/v1/challenges',
  name: 'requestChallenge',
  summary: 'Ask for a challenge, with which to enroll under a handle',
  body: ChallengeRequest,
  answers: { 201: Challenge },
  refusals: [...all, 'handle_taken', 'registration_paused', 'challenges_full'],
});

export const createAccount = route({
  method: 'POST',
  path: '/api/v1/accounts',
  name: 'createAccount',
  summary: 'Enroll with a solved challenge; every attempt spends it, and the token is shown once',
  body: Enrollment,
  answers: { 201: Enrolled },
  refusals: [
    ...all,
    'proof_invalid',
    'handle_taken',
    'challenge_unusable',
    'policy_outdated',
    'registration_paused',
  ],
});

export const requestUpgrade = route({
  method: 'POST',
  path: '/api/v1/me/upgrade/challenge',
  name: 'requestUpgrade',
  summary: 'Ask, as a guest, for a challenge with which to become a full account',
  body: Type.Object({}),
  body_is_optional: true,
  answers: { 201: Challenge },
  refusals: [...members, 'already_full', 'challenges_full'],
});

export const upgradeAccount = route({
  method: 'POST',
  path: '/api/v1/me/upgrade',
  name: 'upgradeAccount',
  summary: 'Become a full account with a solved challenge, and keep everything',
  body: Upgrade,
  answers: { 200: Me },
  refusals: [...members, 'already_full', 'challenge_unusable', 'proof_invalid'],
});
