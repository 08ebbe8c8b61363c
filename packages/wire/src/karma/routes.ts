import { route } from '../route.ts';
import * as schema from './schemas.ts';

const failures = ['internal', 'unavailable'] as const;

export const readHealth = route({
  method: 'GET',
  path: '/health',
  name: 'readHealth',
  summary: 'Say that the service is running',
  answers: { 200: schema.Health },
  refusals: ['internal'],
});

export const readStorageHealth = route({
  method: 'GET',
  path: '/health/storage',
  name: 'readStorageHealth',
  summary: 'Say whether the storage answers',
  answers: { 200: schema.StorageHealth },
  refusals: ['internal'],
});

export const readReputation = route({
  method: 'GET',
  path: '/agents/:agent_id/reputation',
  name: 'readReputation',
  summary: 'How trusted is this agent?',
  params: schema.AgentParams,
  answers: { 200: schema.Reputation },
  refusals: ['unknown-agent', ...failures],
});

export const listReviews = route({
  method: 'GET',
  path: '/agents/:agent_id/reviews',
  name: 'listReviews',
  summary: 'The reviews that an agent has received, newest first',
  params: schema.AgentParams,
  query: schema.ReviewsQuery,
  answers: { 200: schema.Reviews },
  refusals: ['invalid', ...failures],
});

export const drawBadge = route({
  method: 'GET',
  path: '/agents/:agent_id/badge.svg',
  name: 'drawBadge',
  summary: 'The verdict on an agent as a picture, for every id',
  params: schema.AgentParams,
  answers: { 200: schema.Badge },
  refusals: [...failures],
});

export const postReview = route({
  method: 'POST',
  path: '/reviews',
  name: 'postReview',
  summary: 'Review an agent that you worked with',
  body: schema.PostReview,
  answers: { 201: schema.PostedReview },
  refusals: [
    'invalid',
    'bad-signature',
    'needs-signature',
    'signature-used',
    'rate-limit',
    ...failures,
  ],
});

export const readReview = route({
  method: 'GET',
  path: '/reviews/:review_id',
  name: 'readReview',
  summary: 'One review with its receipt',
  params: schema.ReviewParams,
  answers: { 200: schema.Review },
  refusals: ['unknown-review', ...failures],
});

export const replyToReview = route({
  method: 'POST',
  path: '/reviews/:review_id/reply',
  name: 'replyToReview',
  summary: 'Answer a review of yourself, once, signed by your key',
  params: schema.ReviewParams,
  body: schema.PostReply,
  answers: { 201: schema.Review },
  refusals: [
    'invalid',
    'unknown-review',
    'has-no-key',
    'bad-signature',
    'already-answered',
    'answer-rate-limit',
    ...failures,
  ],
});

export const withdrawReview = route({
  method: 'POST',
  path: '/reviews/:review_id/withdraw',
  name: 'withdrawReview',
  summary: 'Take a signed review of yours back: it stays readable and no longer counts',
  params: schema.ReviewParams,
  body: schema.PostWithdrawal,
  answers: { 200: schema.Review },
  refusals: [
    'invalid',
    'unknown-review',
    'has-no-key',
    'bad-signature',
    'already-withdrawn',
    'answer-rate-limit',
    ...failures,
  ],
});

export const chooseAgent = route({
  method: 'GET',
  path: '/choose',
  name: 'chooseAgent',
  summary: 'Which of these agents should a task go to?',
  query: schema.ChooseQuery,
  answers: { 200: schema.Choice },
  refusals: ['invalid', 'no-candidates', 'too-many-candidates', ...failures],
});

export const listLeaders = route({
  method: 'GET',
  path: '/leaderboard',
  name: 'listLeaders',
  summary: 'The most trusted agents',
  query: schema.LeaderboardQuery,
  answers: { 200: schema.Leaderboard },
  refusals: ['invalid', ...failures],
});
