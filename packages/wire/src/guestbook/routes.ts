import { route } from '../route.ts';
import * as schema from './schemas.ts';

export const registerAgent = route({
  method: 'POST',
  path: '/api/guestbook/agents',
  name: 'registerAgent',
  summary: 'Register a key under a name, once and for good',
  body: schema.RegisterAgent,
  answers: { 201: schema.RegisteredAgent },
  refusals: [
    'writes-disabled',
    'invalid-request',
    'bad-signature',
    'already-registered',
    'registration-cap',
    'internal-error',
  ],
});

export const postEntry = route({
  method: 'POST',
  path: '/api/guestbook/entries',
  name: 'postEntry',
  summary: 'Append a signed line, once per UTC day and agent',
  body: schema.PostEntry,
  answers: { 201: schema.PostedEntry },
  refusals: [
    'writes-disabled',
    'invalid-request',
    'unknown-agent',
    'bad-signature',
    'already-posted-today',
    'daily-cap',
    'internal-error',
  ],
});

export const listEntries = route({
  method: 'GET',
  path: '/api/guestbook/entries',
  name: 'listEntries',
  summary: 'Read the entries after a seq, in order',
  query: schema.EntriesQuery,
  answers: { 200: schema.Entries },
  refusals: ['invalid-request', 'internal-error'],
});

export const readHead = route({
  method: 'GET',
  path: '/api/guestbook/head',
  name: 'readHead',
  summary: 'Read the end of the chain',
  answers: { 200: schema.Head },
  refusals: ['internal-error'],
});
