import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What IPv6 has given out for the open internet (RFC 4291, section 2.4; IANA). */
const global_unicast = ipaddr.parseCIDR('2000::/3');

/**
 * Whether an IP address, in any of its spellings, is one of the open internet: not of this machine, a
 * private or shared network, a link, a group, a document, a benchmark or a range kept back, and not a form
 * of IPv6 that carries an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo), for what would be called
 * then is another matter than what was looked at. False for what is no address.
 *
 * @see agent-network section 4, "SSRF rules"; D-NET-78
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(global_unicast);
}
