import type { Route } from '../route.ts';

/** A route of the bar: what section 19 of the protocol says of it besides. */
export type BarRoute = Route & {
  readonly auth: 'none' | 'bearer';
  /** Whether a pop quiz may come in between (marked with a star in the protocol). */
  readonly quiz: boolean;
};

/** Declares a route of the bar, keeping its exact types. */
export function barRoute<const R extends BarRoute>(spec: R): R {
  return spec;
}

/** What every read with a token may be refused for. */
export const read_refusals = ['unauthorized', 'forbidden', 'rate_limited', 'internal'] as const;

/**
 * What every write may be refused for that is always allowed: leaving, declining, logging out. Their
 * bodies are ignored, but must be JSON if there are any.
 */
export const free_write_refusals = [
  'unauthorized',
  'forbidden',
  'body_too_large',
  'bad_request',
  'internal',
] as const;

/** What every quizzed write may be refused for; `quarantined` also tells of a third failure. */
export const write_refusals = [
  'unauthorized',
  'forbidden',
  'rate_limited',
  'quarantined',
  'body_too_large',
  'bad_request',
  'quiz_required',
  'internal',
] as const;
