import { isoInstant } from '../../clock.ts';
import { UndeliveredError } from '../../outbound/outbound.ts';
import type { Tx } from '../../storage/storage.ts';
import {
  call_time_ms_max,
  webhook_failed_max,
  webhook_log_max,
  webhook_pauses_ms,
  webhook_turn_again_ms,
  webhook_turn_attempts_max,
  webhook_turn_ms,
  webhooks_at_once,
} from '../limits.ts';
import { viewMessage } from '../messages/view-message.ts';
import type { Network } from '../network.ts';
import type { Outcome } from '../tables.ts';
import { webhook_job } from './owe-event.ts';
import { listQueued } from './queue-store.ts';
import { readCallUrl } from './read-call-url.ts';
import { signEvent } from './sign-event.ts';
import { openSecret } from './webhook-secret.ts';
import * as store from './webhook-store.ts';

/** How an attempt ended, and whether there may be another. */
type Ended = { outcome: Outcome; is_final: boolean };

/** What an answer of this status means (D-NET-41). */
function judge(status: number): Ended {
  if (status >= 200 && status < 300) return { outcome: 'delivered', is_final: true };
  return { outcome: 'rejected', is_final: status >= 300 && status < 400 };
}

/** The same octets on every attempt: what the queue holds, and nothing of the attempt. */
async function eventBody(network: Network, { id, account, seq }: store.EventRow): Promise<string> {
  const [row] = await listQueued(network.read, { account, after: seq - 1, limit: 1 });
  if (!row) throw new Error('an event is owed of a message that is in no queue');
  return JSON.stringify({
    type: 'message',
    id,
    account,
    timestamp: isoInstant(row.delivered_at),
    seq,
    data: viewMessage(network, { ...row, read_at: null }),
  });
}

/** Calls a webhook once. */
async function attempt(
  network: Network,
  webhook: store.WebhookRow,
  event: store.EventRow,
): Promise<Ended> {
  const { clock, outbound } = network;
  const body = await eventBody(network, event);
  const target = readCallUrl(network, webhook.url);
  if (!target) return { outcome: 'failed', is_final: false };
  const secret = openSecret(network, webhook.account, webhook.secret_box);
  const signed = signEvent({ secret, event: event.id, body, now: clock.now() });
  try {
    const status = await outbound.post({
      target,
      headers: { 'content-type': 'application/json', ...signed },
      body,
      time_ms_max: call_time_ms_max,
    });
    return judge(status);
  } catch (error) {
    if (error instanceof UndeliveredError) return { outcome: 'failed', is_final: false };
    throw error;
  }
}

/** Writes down how an attempt ended, and when the event is tried again, if it is. */
async function settle(
  { clock, calls }: Network,
  tx: Tx,
  {
    event,
    secret_box,
    ended: { outcome, is_final },
  }: { event: store.EventRow; secret_box: Buffer; ended: Ended },
): Promise<void> {
  const { id, account } = event;
  const { db } = tx;
  const now = clock.now();
  const attempts = event.attempts + 1;
  const webhook = await store.findWebhook(db, account);
  // Removed or replaced meanwhile: the new one starts without the failures of the old.
  const is_same = webhook?.secret_box.equals(secret_box) === true;
  const pause_ms = is_final ? undefined : webhook_pauses_ms[event.attempts];
  if (pause_ms === undefined) await store.deleteEvent(db, id);
  else await store.updateEvent(db, id, { attempts, due_at: now + pause_ms });
  if (!webhook || !is_same) return;
  const number = webhook.attempts + 1;
  const line = { account, number, at: now, event: id, attempt: attempts, outcome };
  await store.insertLogLine(db, line, webhook_log_max);
  const failed_in_a_row =
    outcome === 'delivered' ? 0 : webhook.failed_in_a_row + Number(pause_ms === undefined);
  const is_disabled = failed_in_a_row >= webhook_failed_max;
  const disabled_at = is_disabled ? now : null;
  await store.updateWebhook(db, account, { attempts: number, failed_in_a_row, disabled_at });
  if (!is_disabled) return;
  calls.changed(tx, account);
  await store.deleteEvents(db, account);
}

/** Sends what is due to the webhook of an account, one event after the other, for as long as a turn lasts. */
async function callWebhook(network: Network, account: string, signal: AbortSignal): Promise<void> {
  const { clock, jobs, read, transact } = network;
  const ends_at = clock.now() + webhook_turn_ms;
  for (let made = 0; made < webhook_turn_attempts_max && !signal.aborted; made += 1) {
    const [webhook, event] = await Promise.all([
      store.findWebhook(read, account),
      store.nextEvent(read, account),
    ]);
    const now = clock.now();
    if (!webhook || !event || event.due_at > now || now >= ends_at) break;
    const ended = await attempt(network, webhook, event);
    const { secret_box } = webhook;
    await transact((tx) => settle(network, tx, { event, secret_box, ended }));
  }
  await transact(async (tx) => {
    const next = await store.nextEvent(tx.db, account);
    if (!next) return;
    const due_at = Math.max(next.due_at, clock.now());
    await jobs.enqueue(tx, { kind: webhook_job, key: account, due_at, payload: { account } });
  });
}

/** Has webhooks called in the background. */
export function registerWebhooks(network: Network): void {
  network.jobs.register(webhook_job, {
    running_max: webhooks_at_once,
    // @NOTE `oweEvent` and the turns themselves enqueue these jobs.
    run: (payload, { signal }) =>
      callWebhook(network, (payload as { account: string }).account, signal),
    retry: () => webhook_turn_again_ms,
  });
}
