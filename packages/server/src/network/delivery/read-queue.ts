import type { Answer, network_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Caller } from '../caller.ts';
import { countIncoming } from '../consent/request-store.ts';
import { queue_page_default } from '../limits.ts';
import type { Network } from '../network.ts';
import { holdRead, waitMs } from './hold.ts';
import { type QueuePage, queueTopic, readQueuePage } from './queue.ts';

type ReadQueue = typeof network_routes.readQueue;
type WaitForMessages = typeof network_routes.waitForMessages;

async function answer({ read }: Network, account: string, page: QueuePage) {
  const pending_requests = await countIncoming(read, account);
  return { status: 200, body: { ...page, pending_requests } } as const;
}

/** What the caller has received after a seq (NET-165). */
export async function readQueue(
  network: Network,
  { query: { after = 0, limit = queue_page_default } }: Call<ReadQueue>,
  { account: { account } }: Caller,
): Promise<Answer<ReadQueue>> {
  return answer(network, account, await readQueuePage(network, { account, after, limit }));
}

/** The same, waiting for a message if there is none (NET-166). */
export async function waitForMessages(
  network: Network,
  call: Call<WaitForMessages>,
  { account: { account } }: Caller,
): Promise<Answer<WaitForMessages>> {
  const { after = 0, limit = queue_page_default, timeout } = call.query;
  const readAnyway = () => readQueuePage(network, { account, after, limit });
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
  return answer(network, account, page);
}
