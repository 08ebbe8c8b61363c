import { type Answer, type forum_routes, forum_schemas } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Reader } from '../caller.ts';
import type { Forum } from '../forum.ts';
import { roots_page } from '../limits.ts';
import { audiencesAsked } from './audiences-asked.ts';
import { listRoots } from './post-store.ts';
import { postView } from './post-view.ts';

type Route = typeof forum_routes.listPosts;

/** Threads by their roots, newest first (D-FORUM-31). */
export async function listPosts(
  forum: Forum,
  { query }: Call<Route>,
  reader: Reader,
): Promise<Answer<Route>> {
  const { limit = roots_page.default, before = Number.MAX_SAFE_INTEGER, kind, audience } = query;
  const roots = await listRoots(forum.read, {
    audiences: audiencesAsked(reader, audience),
    kinds: kind === undefined ? forum_schemas.kinds : [kind],
    before,
    limit: limit + 1,
  });
  const items = roots.slice(0, limit).map(postView);
  const next_before = roots.length > limit ? (items.at(-1)?.id ?? null) : null;
  return { status: 200, body: { items, next_before } };
}
