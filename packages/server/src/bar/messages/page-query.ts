import type { bar_schemas } from '@stoa/wire';
import type { Static } from 'typebox';
import { page_messages_default, page_messages_max, wait_seconds_max } from '../limits.ts';

/** Which messages are asked for, and for how many seconds they are worth waiting for. */
export type PageQuery = { since: number; limit: number; wait_seconds: number };

/** What a query asks for, within what one answer may hold (D-BAR-48). */
export function readPageQuery(query: Static<typeof bar_schemas.MessagesQuery>): PageQuery {
  const { since = '0', limit = String(page_messages_default), wait = '0' } = query;
  return {
    since: Number(since),
    limit: Math.min(Math.max(Number(limit), 1), page_messages_max),
    wait_seconds: Math.min(Number(wait), wait_seconds_max),
  };
}
