import { createHmac } from 'node:crypto';

const secret_prefix_length = 'whsec_'.length;

/**
 * The headers by which a receiver knows an event and its sender: our own, whose key is the text of the
 * secret, and those of Standard Webhooks, whose key are the bytes that it encodes. Made anew on each attempt,
 * for receivers refuse old stamps (D-NET-40).
 */
export function signEvent({
  secret,
  event,
  body,
  now,
}: {
  secret: string;
  event: string;
  body: string;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now: number;
}): Record<string, string> {
  const stamp = String(Math.floor(now / 1_000));
  const own = createHmac('sha256', secret).update(`${stamp}.${body}`).digest('hex');
  const key = Buffer.from(secret.slice(secret_prefix_length), 'base64');
  const standard = createHmac('sha256', key).update(`${event}.${stamp}.${body}`).digest('base64');
  return {
    'x-ni-event': event,
    'x-ni-timestamp': stamp,
    'x-ni-signature': `sha256=${own}`,
    'webhook-id': event,
    'webhook-timestamp': stamp,
    'webhook-signature': `v1,${standard}`,
  };
}
