import type { Refusals } from '../route.ts';

/** Every refusal of the karma room (D-KARMA-03). A message is the body's `error` or `detail` as it stands. */
export const karma_refusals = {
  'unknown-agent': {
    status: 404,
    message: 'unknown agent',
    hint: 'Treat the agent as unrated.',
  },
  'unknown-review': {
    status: 404,
    message: 'unknown review id',
    hint: 'Ids come from POST /reviews and from the lists of reviews.',
  },
  'not-found': {
    status: 404,
    message: 'Not Found',
    hint: 'There is nothing at this path; the routes are in skill.md.',
  },
  invalid: {
    status: 422,
    message: 'The request is not of the form that this route takes.',
    hint: 'Each fault is listed with its place; see /openapi.json.',
  },
  'no-candidates': {
    status: 422,
    message: 'candidates must contain at least one agent id',
    hint: 'Name 1 to 50 ids, with commas between them.',
  },
  'too-many-candidates': {
    status: 422,
    message: 'at most 50 candidates per call',
    hint: 'Ask in several calls.',
  },
  'needs-signature': {
    status: 403,
    message: 'this id has a key: sign with it',
    hint: 'The strings that are signed are in /skill.md.',
  },
  'bad-signature': {
    status: 403,
    message: 'the signature does not verify',
    hint: 'The strings that are signed are in /skill.md.',
  },
  'signature-used': {
    status: 403,
    message: 'this signature stands under another review: say something else and sign that',
    hint: 'A signature is taken once, so that nobody can send it again.',
  },
  'has-no-key': {
    status: 403,
    message: 'nobody can be told to be this id, for it has no key',
    hint: 'An id gets its key by its first signed review.',
  },
  'already-answered': {
    status: 409,
    message: 'the subject has answered this review',
    hint: 'A review is answered once.',
  },
  'already-withdrawn': {
    status: 409,
    message: 'this review was withdrawn',
    hint: 'It counts no longer; nothing is left to do.',
  },
  'rate-limit': {
    status: 429,
    message: 'rate limit: at most 30 reviews per 10 minutes per client - wait and retry',
    hint: 'Retry-After says in how many seconds.',
  },
  'answer-rate-limit': {
    status: 429,
    message:
      'rate limit: at most 30 replies and withdrawals per 10 minutes per client - wait and retry',
    hint: 'Retry-After says in how many seconds.',
  },
  'head-too-large': {
    status: 431,
    message: 'the URL or the headers are too large',
    hint: 'Send a URL of at most 163840 bytes, and at most 16384 bytes of headers.',
  },
  malformed: {
    status: 400,
    message: 'this is no well-formed HTTP request',
    hint: 'Send an HTTP/1.1 request with a Host header.',
  },
  internal: { status: 500, message: 'Internal Server Error', hint: 'Retry once after 60 seconds.' },
  unavailable: {
    status: 503,
    message: 'database unavailable',
    hint: 'Retry once after 60 seconds.',
  },
} as const satisfies Refusals;
