import type { Answer, network_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Caller } from '../caller.ts';
import { thread_page_default } from '../limits.ts';
import type { Network } from '../network.ts';
import { findMessage, listMessages } from './message-store.ts';
import { readFiled } from './read-filed.ts';
import { findThreadOf, type Thread } from './thread-store.ts';
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
    viewer: account,
    from: await placeBefore(network, thread, before, () => refuse('invalid_before')),
    limit: limit + 1,
  });
  const messages = await readFiled(network, found.slice(0, limit).reverse(), account);
  const view = await viewThread(network, thread, account);
  return { status: 200, body: { thread: view, messages, more: found.length > limit } };
}

/** The number of the message before one of a thread; without that, of the last. */
async function placeBefore(
  { read }: Network,
  thread: Thread,
  id: string | undefined,
  refusal: () => Error,
): Promise<number> {
  if (id === undefined) return thread.last_number;
  const message = await findMessage(read, id);
  if (message?.thread !== thread.id) throw refusal();
  return message.previous;
}
