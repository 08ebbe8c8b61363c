import { isIP } from 'node:net';
import { isPublicAddress } from './is-public-address.ts';

/** Where something may be sent on behalf of others, as far as its URL alone tells. */
export type Target = {
  readonly url: URL;
  /** A name to be resolved, or an address, without brackets. */
  readonly host: string;
};

const url_length_max = 2_048;
/** What stands between the slashes and the path, in any of the ways in which URLs may be written. */
const authority = /^https?:[\\/]*([^\\/?#]*)/i;
const loopback_practice = /^http:\/\/127\.0\.0\.1:[0-9]{1,5}\//;

/**
 * Reads a URL that a stranger wants called: `https`, without user information, not too long, and with a
 * host that is a name other than `localhost`, or an address of the open internet. An address is read as URLs
 * are, so that `0x7f.1` and `2130706433` are 127.0.0.1. With `allows_loopback`, `http://127.0.0.1:<port>/…`
 * in that very spelling is taken as well. Undefined for anything else.
 *
 * @see agent-network section 4, "SSRF rules"; D-NET-42; D-NET-78
 */
export function readTarget(text: string, { allows_loopback = false } = {}): Target | undefined {
  if (text.length > url_length_max || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (allows_loopback && loopback_practice.test(text)) return { url, host: '127.0.0.1' };
  if (url.protocol !== 'https:') return undefined;
  // The parser drops user information that is empty, and never says that it was there.
  if (authority.exec(text.trim())?.[1]?.includes('@') !== false) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (host === '' || host === 'localhost' || host.endsWith('.localhost')) return undefined;
  return isIP(host) === 0 || isPublicAddress(host) ? { url, host } : undefined;
}
