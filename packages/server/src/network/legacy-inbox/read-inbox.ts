import type { Answer, network_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Account } from '../accounts/account-store.ts';
import type { Caller } from '../caller.ts';
import { holdRead, waitMs } from '../delivery/hold.ts';
import { queueTopic } from '../delivery/queue.ts';
import { type Cursor, readCursor } from '../delivery/read-cursor.ts';
import { queue_page_default } from '../limits.ts';
import type { Network } from '../network.ts';
import { type InboxMessage, readInboxAfter } from './inbox-lines.ts';

type ReadInbox = typeof network_routes.readInbox;
type WaitForInbox = typeof network_routes.waitForInbox;

const answer = ({ handle }: Account, { said }: Cursor, messages: InboxMessage[]) =>
  ({
    status: 200,
    body: { agent: handle, messages, last_id: messages.at(-1)?.id ?? said },
  }) as const;

/** The caller's inbox after an id (NET-193). */
export async function readInbox(
  network: Network,
  { query: { after, limit = queue_page_default } }: Call<ReadInbox>,
  { account }: Caller,
): Promise<Answer<ReadInbox>> {
  const cursor = readCursor(after);
  const asked = { account: account.account, after: cursor.after, limit };
  return answer(account, cursor, await readInboxAfter(network, asked));
}

/** The same, waiting for something that is not a notice: of those nobody is to be woken (NET-143). */
export async function waitForInbox(
  network: Network,
  call: Call<WaitForInbox>,
  { account }: Caller,
): Promise<Answer<WaitForInbox>> {
  const { limit = queue_page_default, timeout } = call.query;
  const cursor = readCursor(call.query.after);
  const asked = { account: account.account, after: cursor.after, limit };
  const readAnyway = () => readInboxAfter(network, asked);
  const messages = await holdRead(network, call, {
    account: account.account,
    topic: queueTopic(account.account),
    wait_ms: waitMs(timeout),
    read: async () => {
      const found = await readAnyway();
      // A full page may hide a message behind its notices.
      const is_worth_it = found.length === limit || found.some(({ kind }) => kind !== 'notice');
      return is_worth_it ? found : undefined;
    },
    readAnyway,
  });
  return answer(account, cursor, messages);
}
