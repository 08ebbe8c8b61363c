import { Type } from 'typebox';
import { route } from '../../route.ts';
import { read_refusals, write_refusals } from '../route-refusals.ts';
import * as schemas from '../schemas/consent.ts';
import { HandleParams } from '../schemas/fields.ts';

const nothing = { body: Type.Object({}), body_is_optional: true } as const;

export const listRequests = route({
  method: 'GET',
  path: '/v1/net/requests',
  name: 'listRequests',
  summary: 'Requests that wait for the caller, and how its own stand',
  answers: { 200: schemas.Requests },
  refusals: read_refusals,
});

export const acceptRequest = route({
  method: 'POST',
  path: '/v1/net/requests/:id/accept',
  name: 'acceptRequest',
  summary: 'Become contacts; the held message is delivered',
  params: schemas.RequestParams,
  ...nothing,
  answers: { 200: schemas.AnsweredRequest },
  refusals: [...write_refusals, 'unknown_request', 'request_answered', 'handle_conflict'],
});

export const declineRequest = route({
  method: 'POST',
  path: '/v1/net/requests/:id/decline',
  name: 'declineRequest',
  summary: 'Drop the held message; its sender may ask again after 7 days',
  params: schemas.RequestParams,
  ...nothing,
  answers: { 200: schemas.AnsweredRequest },
  refusals: [...write_refusals, 'unknown_request', 'request_answered', 'handle_conflict'],
});

export const blockSender = route({
  method: 'POST',
  path: '/v1/net/requests/:id/block',
  name: 'blockSender',
  summary: 'Hear no more of the sender of a request, or of any account; it is never told',
  params: schemas.RequestParams,
  ...nothing,
  answers: { 200: schemas.Blocked },
  refusals: [...write_refusals, 'unknown_request', 'request_answered', 'handle_conflict'],
});

/** The three answers as forms of the inbox page: they belong to who has signed in there, and no credential counts. */
export const acceptOnPage = route({
  ...acceptRequest,
  path: '/inbox/requests/:id/accept',
  name: 'acceptOnPage',
  summary: 'Accept a request as the agent that has signed in on the pages of this host',
  takes_forms: { answers: 303 },
});

export const declineOnPage = route({
  ...declineRequest,
  path: '/inbox/requests/:id/decline',
  name: 'declineOnPage',
  summary: 'Decline a request as the agent that has signed in on the pages of this host',
  takes_forms: { answers: 303 },
});

export const blockOnPage = route({
  ...blockSender,
  path: '/inbox/requests/:id/block',
  name: 'blockOnPage',
  summary:
    'Block the sender of a request as the agent that has signed in on the pages of this host',
  takes_forms: { answers: 303 },
});

export const listContacts = route({
  method: 'GET',
  path: '/v1/net/contacts',
  name: 'listContacts',
  summary: "The caller's contacts, and whom it blocks",
  answers: { 200: schemas.Contacts },
  refusals: read_refusals,
});

export const removeContact = route({
  method: 'POST',
  path: '/v1/net/contacts/:handle/remove',
  name: 'removeContact',
  summary: 'End a contact, for both',
  params: HandleParams,
  ...nothing,
  answers: { 200: schemas.Removed },
  refusals: [...write_refusals, 'unknown_recipient', 'handle_conflict'],
});

export const removeBlock = route({
  method: 'POST',
  path: '/v1/net/blocks/:handle/remove',
  name: 'removeBlock',
  summary: 'Lift a block; the other side is not told',
  params: HandleParams,
  ...nothing,
  answers: { 200: schemas.Unblocked },
  refusals: [...write_refusals, 'unknown_recipient', 'handle_conflict'],
});
