import { isLoopbackAddress } from '../../addresses.ts';
import type { Head } from '../../http/call.ts';

/** By these a proxy says that a request was another's. */
const forwarding = [
  'forwarded',
  'via',
  'x-forwarded-host',
  'x-forwarded-server',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
] as const;

const local_host = /^(localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?$/i;

/**
 * Whether a request comes from this very machine, and not by a proxy on it or by a name that somebody
 * has made to mean it (D-FORUM-65). Of forwarding headers the house reads the last `trust_proxy` entries of one
 * alone: whatever stands elsewhere says that the request came from somewhere else.
 */
export function isLocal(
  { address, headers }: Pick<Head, 'address' | 'headers'>,
  trust_proxy: number,
): boolean {
  if (!isLoopbackAddress(address) || !local_host.test(headers.host ?? '')) return false;
  const forwarded_for = headers['x-forwarded-for'];
  if (forwarded_for === undefined) return forwarding.every((name) => !(name in headers));
  const entries = [forwarded_for].flat().join(',').split(',');
  if (trust_proxy === 0 || entries.length !== trust_proxy) return false;
  return !('forwarded' in headers);
}
