import type { Answer, network_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Caller } from '../caller.ts';
import { thread_page_default } from '../limits.ts';
import type { Network } from '../network.ts';
import { findMessage, listMessages } from './message-store.ts';
import { readFiled } from './read-filed.ts';
import { findThreadOf } from './thread-store.ts';
import { viewThread } from './thread-view.ts';

type ReadThread = typeof network_routes.readThread;

/** One of the caller's threads with its latest messages, or those before one, the oldest first (NET-202). */
export async function readThread(
  network: Network,
  { params: { id }, query, refuse }: Call<ReadThread>,
  { account: { account } }: Caller,
): Promise<Answer<ReadThread>> {
  const { read } = network;
  const thread = await findThreadOf(read, { id, account });
  if (!thread) throw refuse('unknown_thread');
  const { before, limit = thread_page_default } = query;
  const found = await listMessages(read, {
    thread: id,
    viewer: account,
    before: await placeOf(network, id, before, () => refuse('invalid_before')),
    limit: limit + 1,
  });
  const messages = await readFiled(network, found.slice(0, limit).reverse(), account);
  const view = await viewThread(network, thread, account);
  return { status: 200, body: { thread: view, messages, more: found.length > limit } };
}

/** The place of a message in a thread; without one that behind the last. */
async function placeOf(
  { read }: Network,
  thread: string,
  id: string | undefined,
  refusal: () => Error,
): Promise<number> {
  if (id === undefined) return Number.MAX_SAFE_INTEGER;
  const message = await findMessage(read, id);
  if (message?.thread !== thread) throw refusal();
  return message.position;
}
