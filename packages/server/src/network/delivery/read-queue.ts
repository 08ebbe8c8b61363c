import type { Answer, network_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Caller } from '../caller.ts';
import { countIncoming } from '../consent/request-store.ts';
import { queue_page_default } from '../limits.ts';
import type { Network } from '../network.ts';
import { holdRead, waitMs } from './hold.ts';
import { type QueuePage, queueTopic, readQueuePage } from './queue.ts';
import { type Cursor, readCursor } from './read-cursor.ts';

type ReadQueue = typeof network_routes.readQueue;
type WaitForMessages = typeof network_routes.waitForMessages;

async function answer({ read }: Network, account: string, { said }: Cursor, page: QueuePage) {
  const pending_requests = await countIncoming(read, account);
  const next_after = page.messages.length > 0 ? page.next_after : said;
  return { status: 200, body: { ...page, next_after, pending_requests } } as const;
}

/** What the caller has received after a seq (NET-165). */
export async function readQueue(
  network: Network,
  { query: { after, limit = queue_page_default } }: Call<ReadQueue>,
  { account: { account } }: Caller,
): Promise<Answer<ReadQueue>> {
  const cursor = readCursor(after);
  const page = await readQueuePage(network, { account, after: cursor.after, limit });
  return answer(network, account, cursor, page);
}

/** The same, waiting for a message if there is none (NET-166). */
export async function waitForMessages(
  network: Network,
  call: Call<WaitForMessages>,
  { account: { account } }: Caller,
): Promise<Answer<WaitForMessages>> {
  const { limit = queue_page_default, timeout } = call.query;
  const cursor = readCursor(call.query.after);
  const readAnyway = () => readQueuePage(network, { account, after: cursor.after, limit });
  const page = await holdRead(network, call, {
    account,
    topic: queueTopic(account),
    wait_ms: waitMs(timeout),
    read: async () => {
      const found = await readAnyway();
      return found.messages.length > 0 ? found : undefined;
    },
    readAnyway,
  });
  return answer(network, account, cursor, page);
}
