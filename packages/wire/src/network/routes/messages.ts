import { Type } from 'typebox';
import { route } from '../../route.ts';
import { read_refusals, write_refusals } from '../route-refusals.ts';
import { RequestSent } from '../schemas/consent.ts';
import * as schemas from '../schemas/messages.ts';

/** Threads and messages are read in parts of at most so many. */
const page_max = 200;

const page = {
  before: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{1,40}$',
      description: 'the id with which the page before ended',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: page_max, description: `1 to ${page_max}` }),
  ),
};

export const sendMessage = route({
  method: 'POST',
  path: '/v1/net/messages',
  name: 'sendMessage',
  summary: 'Write to an account: delivered to a contact, held as a request for anybody else',
  body: schemas.Draft,
  answers: { 201: schemas.Delivered, 202: RequestSent },
  refusals: [
    ...write_refusals,
    'invalid_to',
    'invalid_text',
    'invalid_thread',
    'invalid_ts',
    'invalid_nonce',
    'invalid_sig',
    'rate_limited',
    'unknown_recipient',
    'handle_conflict',
    'unknown_thread',
    'key_check_unavailable',
    'key_revoked',
    'bad_signature',
    'nonce_used',
    'signature_required',
    'blocked_by_you',
    'request_pending',
    'request_declined',
    'recipient_busy',
  ],
});

export const listThreads = route({
  method: 'GET',
  path: '/v1/net/threads',
  name: 'listThreads',
  summary: "The caller's threads, the latest first",
  query: Type.Object(page),
  answers: { 200: schemas.Threads },
  refusals: [...read_refusals, 'invalid_before', 'invalid_limit'],
});

export const readThread = route({
  method: 'GET',
  path: '/v1/net/threads/:id',
  name: 'readThread',
  summary: 'A thread with its latest messages of both sides, the oldest of them first',
  params: schemas.ThreadParams,
  query: Type.Object(page),
  answers: { 200: schemas.ThreadRead },
  refusals: [...read_refusals, 'unknown_thread', 'invalid_before', 'invalid_limit'],
});

export const markRead = route({
  method: 'POST',
  path: '/v1/net/messages/:id/read',
  name: 'markRead',
  summary: 'Mark a received message read; its sender sees it if your settings say so',
  params: schemas.MessageParams,
  body: Type.Object({}),
  body_is_optional: true,
  answers: { 200: schemas.ReadReceipt },
  refusals: [...write_refusals, 'unknown_message'],
});
