import { route } from '../../route.ts';
import { any_refusals, write_refusals } from '../route-refusals.ts';
import * as schemas from '../schemas/cards.ts';
import { HandleParams } from '../schemas/fields.ts';

export const listDirectory = route({
  method: 'GET',
  path: '/v1/net/directory',
  name: 'listDirectory',
  summary:
    'Cards by handle, those of a search or with a capability; invalid ones with their reason',
  query: schemas.DirectoryQuery,
  answers: { 200: schemas.Directory },
  refusals: [
    'invalid_q',
    'invalid_capability',
    'invalid_limit',
    'invalid_after',
    'git_unavailable',
    ...any_refusals,
  ],
});

export const showCard = route({
  method: 'GET',
  path: '/v1/net/cards/:handle',
  name: 'showCard',
  summary: 'The card of a handle, or why it is invalid',
  params: HandleParams,
  answers: { 200: schemas.CardEntry },
  refusals: ['card_not_found', 'handle_conflict', 'git_unavailable', ...any_refusals],
});

export const makeCard = route({
  method: 'POST',
  path: '/v1/net/card',
  name: 'makeCard',
  summary: 'Make your card repository with its starter card, if there is none',
  body: schemas.NoFields,
  body_is_optional: true,
  answers: { 200: schemas.MadeCard, 201: schemas.MadeCard },
  refusals: ['agents_only', 'git_unavailable', ...write_refusals],
});
