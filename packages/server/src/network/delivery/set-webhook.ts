import type { Answer, network_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Caller } from '../caller.ts';
import type { Network } from '../network.ts';
import { whyNotKept } from './read-call-url.ts';
import { newSecret, sealSecret } from './webhook-secret.ts';
import { deleteWebhook, findWebhook, listLog, putWebhook } from './webhook-store.ts';
import { webhookView } from './webhook-view.ts';

type ReadWebhook = typeof network_routes.readWebhook;
type SetWebhook = typeof network_routes.setWebhook;

/** The caller's webhook and its last attempts. */
export async function readWebhook(
  { read }: Network,
  _call: Call<ReadWebhook>,
  { account: { account } }: Caller,
): Promise<Answer<ReadWebhook>> {
  // The log first: what the webhook counts is then no older than what the log shows.
  const log = await listLog(read, account);
  const webhook = await findWebhook(read, account);
  if (!webhook) return { status: 200, body: { webhook: null } };
  const own = log.filter(({ number }) => number <= webhook.attempts);
  return { status: 200, body: { webhook: webhookView(webhook, own) } };
}

/**
 * Sets the caller's webhook, or removes it (NET-176, NET-178). What the one before was still owed is sent to
 * the new one.
 */
export async function setWebhook(
  network: Network,
  { body: { url }, refuse }: Call<SetWebhook>,
  { account: { account } }: Caller,
): Promise<Answer<SetWebhook>> {
  const { clock, transact, calls } = network;
  if (url === null) {
    await transact((tx) => {
      calls.changed(tx, account);
      return deleteWebhook(tx.db, account);
    });
    return { status: 200, body: { webhook: null } };
  }
  const detail = await whyNotKept(network, url);
  if (detail !== undefined) throw refuse('invalid_url', { detail });
  const secret = newSecret(network);
  const secret_box = sealSecret(network, account, secret);
  const webhook = await transact((tx) => {
    calls.changed(tx, account);
    return putWebhook(tx.db, {
      account,
      url,
      secret_box,
      created_at: clock.now(),
      failed_in_a_row: 0,
      disabled_at: null,
      attempts: 0,
    });
  });
  return { status: 201, body: { webhook: webhookView(webhook, []), secret } };
}
