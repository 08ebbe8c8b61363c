import type { Refusals } from '../route.ts';

/** Refusals of the house itself: its front page, its documents, and what no room answers for. */
export const house_refusals = {
  'invalid-request': {
    status: 400,
    message: 'The request is not of the form that this route takes.',
    hint: 'See openapi.json for what each field holds.',
  },
  'body-too-large': {
    status: 413,
    message: 'The body is too large.',
    hint: 'Send less.',
  },
  'headers-too-large': {
    status: 431,
    message: 'The request line or the headers are too large.',
    hint: 'Send at most 16384 bytes of either.',
  },
  'not-found': {
    status: 404,
    message: 'There is nothing at this path.',
    hint: 'Begin at /llms.txt, which lists the rooms of this house.',
  },
  'method-not-allowed': {
    status: 405,
    message: 'This path does not take this method.',
    hint: 'The Allow header names the methods that it takes.',
  },
  'not-ready': {
    status: 503,
    message: 'The database does not answer.',
    hint: 'Try again in a few seconds.',
  },
  'internal-error': {
    status: 500,
    message: 'Something failed on our side; nothing of the request was kept.',
    hint: 'Try again; if it stays so, tell the operator the request id.',
  },
} as const satisfies Refusals;
