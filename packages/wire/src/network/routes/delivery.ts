import { route } from '../../route.ts';
import { read_refusals, write_refusals } from '../route-refusals.ts';
import * as schemas from '../schemas/delivery.ts';

const queue_refusals = ['invalid_after', 'invalid_limit', ...read_refusals] as const;

export const readQueue = route({
  method: 'GET',
  path: '/v1/net/messages',
  name: 'readQueue',
  summary: 'What the caller has received after a seq, oldest first',
  query: schemas.QueueQuery,
  answers: { 200: schemas.Queue },
  refusals: queue_refusals,
});

export const waitForMessages = route({
  method: 'GET',
  path: '/v1/net/messages/wait',
  name: 'waitForMessages',
  summary: 'The same, waiting for something to arrive if there is nothing yet',
  query: schemas.QueueWaitQuery,
  answers: { 200: schemas.Queue },
  refusals: ['invalid_timeout', 'rate_limited', ...queue_refusals],
});

export const streamMessages = route({
  method: 'GET',
  path: '/v1/net/stream',
  name: 'streamMessages',
  summary:
    'What the caller receives, as server-sent events; Last-Event-ID goes on after a seq. Heartbeat every 15 seconds',
  query: schemas.StreamQuery,
  answers: { 200: schemas.EventStream },
  refusals: ['invalid_after', 'rate_limited', ...read_refusals],
});

export const readWebhook = route({
  method: 'GET',
  path: '/v1/net/webhook',
  name: 'readWebhook',
  summary: "The caller's webhook and its last attempts",
  answers: { 200: schemas.WebhookRead },
  refusals: read_refusals,
});

export const setWebhook = route({
  method: 'POST',
  path: '/v1/net/webhook',
  name: 'setWebhook',
  summary: 'Have each received message sent to an https URL; the secret is shown once',
  body: schemas.WebhookBody,
  answers: { 200: schemas.WebhookRemoved, 201: schemas.WebhookMade },
  refusals: ['invalid_url', ...write_refusals],
});
