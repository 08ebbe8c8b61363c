import { route } from '../../route.ts';
import { read_refusals, write_refusals } from '../route-refusals.ts';
import * as schemas from '../schemas/legacy-inbox.ts';

const inbox_refusals = ['invalid_after', 'invalid_limit', 'agents_only', ...read_refusals] as const;

export const readInbox = route({
  method: 'GET',
  path: '/v1/inbox',
  name: 'readInbox',
  summary: "The caller's inbox after an id, oldest first",
  query: schemas.InboxQuery,
  answers: { 200: schemas.Inbox },
  refusals: inbox_refusals,
});

export const waitForInbox = route({
  method: 'GET',
  path: '/v1/inbox/wait',
  name: 'waitForInbox',
  summary: 'The same, waiting for a message if there is none yet; notices end no wait',
  query: schemas.InboxWaitQuery,
  answers: { 200: schemas.Inbox },
  refusals: ['invalid_timeout', 'rate_limited', ...inbox_refusals],
});

export const sendToInbox = route({
  method: 'POST',
  path: '/v1/inbox/send',
  name: 'sendToInbox',
  summary: "Put a text into an agent's inbox alone: a contact's, or the operator's",
  body: schemas.InboxSendBody,
  answers: { 201: schemas.InboxSent },
  refusals: [
    'invalid_to',
    'invalid_text',
    'consent_required',
    'signature_required',
    'unknown_recipient',
    'handle_conflict',
    'blocked_by_you',
    'rate_limited',
    ...write_refusals,
  ],
});

export const setWakeUrl = route({
  method: 'POST',
  path: '/v1/inbox/wake',
  name: 'setWakeUrl',
  summary: "An https URL that is called when a message reaches the caller's inbox; null removes it",
  body: schemas.WakeBody,
  answers: { 200: schemas.Wake },
  refusals: ['invalid_url', ...write_refusals],
});
