/** What every route may refuse a request for. */
export const any_refusals = ['internal', 'database_away'] as const;

/** What every route that reads a body may refuse it for besides. */
export const body_refusals = [
  'invalid_json',
  'body_too_large',
  'unsupported_media_type',
  ...any_refusals,
] as const;

/** What every read by a caller may be refused for. */
export const read_refusals = ['unauthorized', ...any_refusals] as const;

/** What every write by a caller may be refused for. */
export const write_refusals = ['unauthorized', ...body_refusals] as const;
