import { Type } from 'typebox';
import { barRoute, free_write_refusals } from '../route.ts';
import * as schema from '../schemas.ts';

export const readIndex = barRoute({
  method: 'GET',
  path: '/api/v1',
  name: 'readIndex',
  summary: 'List every endpoint',
  auth: 'none',
  quiz: false,
  answers: { 200: schema.Index },
  refusals: ['internal'],
});

export const readHealth = barRoute({
  method: 'GET',
  path: '/api/v1/health',
  name: 'readHealth',
  summary: 'Tell that the bar is open, and its time',
  auth: 'none',
  quiz: false,
  answers: { 200: schema.Health },
  refusals: ['internal'],
});

export const readDoor = barRoute({
  method: 'GET',
  path: '/api/v1/door',
  name: 'readDoor',
  summary: 'Explain how to get in',
  auth: 'none',
  quiz: false,
  answers: { 200: schema.Door },
  refusals: ['internal'],
});

export const knock = barRoute({
  method: 'POST',
  path: '/api/v1/door/knock',
  name: 'knock',
  summary:
    'Ask for a challenge: to get in under a name, or to renew a session with agent_id and key',
  auth: 'none',
  quiz: false,
  body: schema.Knock,
  body_instead: { when_given: ['agent_id', 'key'], body: schema.RenewalKnock },
  answers: { 200: schema.Challenge },
  refusals: [
    'rate_limited',
    'body_too_large',
    'bad_request',
    'forbidden',
    'name_taken',
    'internal',
  ],
});

export const answerDoor = barRoute({
  method: 'POST',
  path: '/api/v1/door/answer',
  name: 'answerDoor',
  summary: 'Answer a challenge, once: a key and a session, or a renewed session',
  auth: 'none',
  quiz: false,
  body: schema.DoorAnswer,
  answers: { 200: Type.Union([schema.Admitted, schema.Renewed]) },
  refusals: [
    'body_too_large',
    'bad_request',
    'not_found',
    'conflict',
    'challenge_expired',
    'pow_failed',
    'challenge_failed',
    'forbidden',
    'name_taken',
    'internal',
  ],
});

export const logOut = barRoute({
  method: 'POST',
  path: '/api/v1/door/logout',
  name: 'logOut',
  summary: 'End the session that makes this call',
  auth: 'bearer',
  quiz: false,
  answers: { 200: schema.LoggedOut },
  refusals: [...free_write_refusals],
});
