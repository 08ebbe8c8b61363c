import type { Answer, guestbook_routes } from '@stoa/wire';
import type { Deps } from '../deps.ts';
import type { Call } from '../http/call.ts';
import { guestbook_stream, publishedEntries } from './entry-view.ts';
import { page_entries_default } from './limits.ts';

type Route = typeof guestbook_routes.listEntries;

/** Entries after a seq, in order (protocol, Read). */
export async function listEntries(deps: Deps, call: Call<Route>): Promise<Answer<Route>> {
  const { after = 0, limit = page_entries_default } = call.query;
  const entries = await deps.log.readAfter(guestbook_stream, after, limit);
  return { status: 200, body: { entries: await publishedEntries(deps, entries) } };
}
