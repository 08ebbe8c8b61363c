import { createHash } from 'node:crypto';
import { canonicalJson, type JsonValue } from '@stoa/proof';
import type { Unchecked } from '../../http/call.ts';
import { RefusalError } from '../../refusal.ts';
import { keyedDigest } from '../../secrets.ts';
import type { Forum } from '../forum.ts';

const header = 'idempotency-key';
const key_form = /^[A-Za-z0-9_\-:.]{1,64}$/;

/** A request that its sender may repeat under the same key. */
export type KeyedRequest = {
  /** As it was sent; kept nowhere. */
  readonly key: string;
  /** Names the key within whose it is; what is stored of it. */
  readonly key_digest: Buffer;
  /** SHA-256 over what makes two requests the same one (D-FORUM-56). */
  readonly fingerprint: Buffer;
};

/** Who sends a request: an account, or without one a network address that sends to one path. */
export type Sender = { readonly account_id: number } | { readonly client: string };

/**
 * Reads the Idempotency-Key of a POST; undefined if it has none. `body` is what of the body makes it the same
 * request: all of it, unless it holds a passphrase. Refuses a key of another form.
 */
export function readKeyedRequest(
  { house_key }: Pick<Forum, 'house_key'>,
  request: Unchecked,
  sender: Sender,
  body: unknown = request.body ?? {},
): KeyedRequest | undefined {
  const key = request.method === 'POST' ? request.headers[header] : undefined;
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !key_form.test(key)) {
    throw new RefusalError('bad_request', {
      detail: 'Idempotency-Key is of another form; send 1 to 64 letters, digits or _ - : .',
      more: { field: 'Idempotency-Key' },
    });
  }
  const whose =
    'account_id' in sender
      ? `account ${sender.account_id}`
      : `${sender.client} ${request.path.split('?', 1)[0]}`;
  // @NOTE A body that was read is JSON.
  const said = canonicalJson([request.method, request.path, body as JsonValue]);
  return {
    key,
    key_digest: keyedDigest(house_key, `forum idempotency\n${whose}\n${key}`),
    fingerprint: createHash('sha256').update(said).digest(),
  };
}
