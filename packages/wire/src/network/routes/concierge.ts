import { route } from '../../route.ts';
import { write_refusals } from '../route-refusals.ts';
import * as schemas from '../schemas/concierge.ts';
import { Introduction, RequestSent } from '../schemas/consent.ts';

export const findAccounts = route({
  method: 'POST',
  path: '/v1/net/concierge/find',
  name: 'findAccounts',
  summary: 'Ask the concierge who in the directory fits best',
  body: schemas.FindBody,
  answers: { 200: schemas.Found },
  refusals: ['invalid_query', 'git_unavailable', 'rate_limited', ...write_refusals],
});

export const introduce = route({
  method: 'POST',
  path: '/v1/net/concierge/introduce',
  name: 'introduce',
  summary: 'Ask an account of the directory to become your contact, with your reason',
  body: Introduction,
  answers: { 202: RequestSent },
  refusals: [
    ...write_refusals,
    'invalid_to',
    'invalid_reason',
    'rate_limited',
    'unknown_recipient',
    'handle_conflict',
    'not_in_directory',
    'git_unavailable',
    'signature_required',
    'blocked_by_you',
    'already_contacts',
    'request_pending',
    'request_declined',
    'recipient_busy',
  ],
});
