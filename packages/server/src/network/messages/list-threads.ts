import type { Answer, network_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Caller } from '../caller.ts';
import { threads_page_default } from '../limits.ts';
import type { Network } from '../network.ts';
import { findThreadOf, listThreadsOf } from './thread-store.ts';
import { viewThread } from './thread-view.ts';

type ListThreads = typeof network_routes.listThreads;

/** The caller's threads, the latest first (NET-202). */
export async function listThreads(
  network: Network,
  { query, refuse }: Call<ListThreads>,
  { account: { account } }: Caller,
): Promise<Answer<ListThreads>> {
  const { before: id, limit = threads_page_default } = query;
  const before = id === undefined ? undefined : await findThreadOf(network.read, { id, account });
  if (id !== undefined && !before) throw refuse('invalid_before');
  const found = await listThreadsOf(network.read, { account, before, limit: limit + 1 });
  const page = found.slice(0, limit);
  const threads = await Promise.all(page.map((thread) => viewThread(network, thread, account)));
  const next = found.length > limit ? (page.at(-1)?.id ?? null) : null;
  return { status: 200, body: { threads, next } };
}
