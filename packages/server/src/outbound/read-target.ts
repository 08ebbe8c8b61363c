import { isIP } from 'node:net';
import { isPublicAddress } from './is-public-address.ts';

/** Where something may be sent on behalf of others, as far as its URL alone tells. */
export type Target = {
  readonly url: URL;
  /** A name to be resolved, or an address, without brackets. */
  readonly host: string;
};

export const url_length_max = 2_048;

/**
 * A URL as RFC 3986 has them, and what stands between its slashes and its path. Parsers of URLs take other forms,
 * and not all of them make the same of one.
 */
const written = /^https?:\/\/([^/?#]+)/i;
/** In no part of a URL: parsers drop them, or take one for a slash. */
const forbidden = /[\s\p{Cc}\\]/u;
const loopback_practice = /^http:\/\/127\.0\.0\.1:[0-9]{1,5}\//;

/**
 * Reads a URL that a stranger wants called: `https`, in full and without white space, backslashes and control
 * characters, without user information, on a port that there can be, not too long, and with a host that is a name other than `localhost`, or an address of the open internet. An address is read as URLs
 * are, so that `0x7f.1` and `2130706433` are 127.0.0.1. With `allows_loopback`, `http://127.0.0.1:<port>/…`
 * in that very spelling is taken as well. Undefined for anything else. A fragment is let stand: it is kept with the
 * URL and never sent.
 *
 * @see agent-network section 4, "SSRF rules"; D-NET-42; D-NET-78
 */
export function readTarget(text: string, { allows_loopback = false } = {}): Target | undefined {
  if (text.length > url_length_max || forbidden.test(text) || !URL.canParse(text)) return undefined;
  const [, authority] = written.exec(text) ?? [];
  const url = new URL(text);
  if (authority === undefined || url.port === '0') return undefined;
  if (allows_loopback && loopback_practice.test(text)) return { url, host: '127.0.0.1' };
  if (url.protocol !== 'https:') return undefined;
  // The parser drops user information that is empty, and never says that it was there.
  if (authority.includes('@')) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (host === '' || host === 'localhost' || host.endsWith('.localhost')) return undefined;
  return isIP(host) === 0 || isPublicAddress(host) ? { url, host } : undefined;
}
