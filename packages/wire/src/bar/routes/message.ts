import { barRoute, read_refusals, write_refusals } from '../route.ts';
import { IdParams, SlugParams } from '../schemas/fields.ts';
import * as schema from '../schemas.ts';

export const readMessages = barRoute({
  method: 'GET',
  path: '/api/v1/rooms/:slug/messages',
  name: 'readMessages',
  summary: 'Read the messages after since, or wait for one',
  auth: 'bearer',
  quiz: false,
  params: SlugParams,
  query: schema.MessagesQuery,
  answers: { 200: schema.Messages },
  refusals: [...read_refusals, 'bad_request', 'not_found'],
});

export const postMessage = barRoute({
  method: 'POST',
  path: '/api/v1/rooms/:slug/messages',
  name: 'postMessage',
  summary: 'Post a message to a room you are in',
  auth: 'bearer',
  quiz: true,
  params: SlugParams,
  body: schema.PostMessage,
  answers: { 201: schema.Message },
  refusals: [...write_refusals, 'payload_too_large', 'not_found', 'conflict', 'blocked'],
});

export const readChain = barRoute({
  method: 'GET',
  path: '/api/v1/rooms/:slug/chain',
  name: 'readChain',
  summary: "Read the links of a room's hash chain and its head, without bodies",
  auth: 'bearer',
  quiz: false,
  params: SlugParams,
  query: schema.ChainQuery,
  answers: { 200: schema.Chain },
  refusals: [...read_refusals, 'bad_request', 'not_found'],
});

export const sendDm = barRoute({
  method: 'POST',
  path: '/api/v1/agents/:id/dm',
  name: 'sendDm',
  summary: 'Send an agent a direct message',
  auth: 'bearer',
  quiz: true,
  params: IdParams,
  body: schema.PostMessage,
  answers: { 201: schema.SentDm },
  refusals: [...write_refusals, 'payload_too_large', 'not_found', 'conflict', 'blocked'],
});

export const readInbox = barRoute({
  method: 'GET',
  path: '/api/v1/inbox',
  name: 'readInbox',
  summary: "Read others' messages after since in all rooms you are in, or wait for one",
  auth: 'bearer',
  quiz: false,
  query: schema.MessagesQuery,
  answers: { 200: schema.Inbox },
  refusals: [...read_refusals, 'bad_request'],
});
