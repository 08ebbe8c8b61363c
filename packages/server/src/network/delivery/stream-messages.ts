import type { Answer, network_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { readWholeNumber } from '../../read-whole-number.ts';
import { RefusalError } from '../../refusal.ts';
import { admitCaller } from '../admit.ts';
import type { Caller } from '../caller.ts';
import { countIncoming } from '../consent/request-store.ts';
import { heartbeat_ms, stream_hold_ms, stream_page } from '../limits.ts';
import type { Network } from '../network.ts';
import { takePlace } from './hold.ts';
import { queueTopic, readQueuePage } from './queue.ts';
import { findQueueEnd, lastRequestNumber, listRequestsAfter } from './queue-store.ts';

type StreamMessages = typeof network_routes.streamMessages;

/** How far a stream has come: in the queue, and in the requests. */
type Reached = { seq: number; request: number };

const reconnect_ms = 2_000;

const frame = (event: string, data: unknown, id?: number): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** What came after `reached`, as frames; undefined if nothing did. */
async function readNews(
  network: Network,
  account: string,
  { seq, request }: Reached,
): Promise<{ text: string; reached: Reached } | undefined> {
  const { read } = network;
  const [{ messages, next_after }, requests] = await Promise.all([
    readQueuePage(network, { account, after: seq, limit: stream_page }),
    listRequestsAfter(read, { account, after: request, limit: stream_page }),
  ]);
  if (messages.length === 0 && requests.length === 0) return undefined;
  const pending_requests = requests.length > 0 ? await countIncoming(read, account) : 0;
  const frames = [
    ...messages.map((message) => frame('message', message, message.seq ?? undefined)),
    ...requests.map(({ id, from_account }) =>
      frame('contact_request', {
        request_id: id,
        sender_kind: from_account.split(':', 1)[0],
        pending_requests,
      }),
    ),
  ];
  return {
    text: frames.join(''),
    reached: {
      seq: next_after,
      request: Number(requests.at(-1)?.number ?? request),
    },
  };
}

/** Where a stream begins: after what it names, or at the end; never beyond it, for that would hide what comes. */
async function beginning(
  { read }: Network,
  { headers, query, refuse }: Call<StreamMessages>,
  account: string,
): Promise<number> {
  const named = headers['last-event-id'];
  const text = named === undefined ? query.after : String(named);
  const after = text === undefined ? Infinity : readWholeNumber(text);
  if (after === undefined) {
    throw refuse('invalid_after', {
      detail: 'Last-Event-ID is not a seq; send a whole number, 0 or more.',
    });
  }
  const { seq } = await findQueueEnd(read, account);
  return Math.min(after, seq);
}

/** What an account receives after a seq, for as long as who asked stays; `giveBack` gives back the place it took. */
async function* follow(
  network: Network,
  call: Call<StreamMessages>,
  { account, after, giveBack }: { account: string; after: number; giveBack: () => void },
) {
  const { clock, waiters, waits, read } = network;
  const { signal } = call;
  const topics = [queueTopic(account)];
  let giveBackNow = giveBack;
  try {
    const pending_requests = await countIncoming(read, account);
    let reached: Reached = { seq: after, request: await lastRequestNumber(read, account) };
    yield `retry: ${reconnect_ms}\n\n${frame('ready', { after, pending_requests })}`;
    let beat_at = clock.now() + heartbeat_ms;
    let held_until = clock.now() + stream_hold_ms;
    while (!signal.aborted && !waiters.isClosed()) {
      const news = await waiters.waitFor({
        topics,
        wait_ms: Math.max(beat_at - clock.now(), 1),
        signal,
        read: () => readNews(network, account, reached),
      });
      if (signal.aborted || waiters.isClosed() || !(await isAdmitted(network, call))) return;
      if (news) {
        reached = news.reached;
        yield news.text;
      }
      const now = clock.now();
      if (news && now < beat_at) continue;
      yield ': heartbeat\n\n';
      beat_at = now + heartbeat_ms;
      if (now < held_until) continue;
      // Taken anew, for a place is only held for a while: whoever held it may have died.
      giveBackNow();
      const taken = await waits.take(account);
      if (!taken) return;
      giveBackNow = taken;
      held_until = now + stream_hold_ms;
    }
  } finally {
    giveBackNow();
  }
}

/** Whether who opened a stream would still be let in. */
async function isAdmitted(network: Network, call: Call<StreamMessages>): Promise<boolean> {
  try {
    await admitCaller(network, call);
    return true;
  } catch (error) {
    if (error instanceof RefusalError) return false;
    throw error;
  }
}

/** What the caller receives, as it comes (NET-170 to NET-175). */
export async function streamMessages(
  network: Network,
  call: Call<StreamMessages>,
  { account: { account } }: Caller,
): Promise<Answer<StreamMessages>> {
  const after = await beginning(network, call, account);
  // Whoever asks for the head alone follows nothing.
  const parts =
    call.method === 'HEAD'
      ? ''
      : follow(network, call, { account, after, giveBack: await takePlace(network, account) });
  const headers = {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    // Some proxies hold answers back until there is much of them.
    'x-accel-buffering': 'no',
  };
  // @NOTE What comes in parts is text, as the route documents.
  return { status: 200, headers, body: parts as unknown as string };
}
