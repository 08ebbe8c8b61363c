import { BlockList, isIP } from 'node:net';

/**
 * Who is on the other side: the socket's peer, or behind `trust_proxy` proxies the entry of
 * `X-Forwarded-For` that the outermost of them wrote, the n-th from the right. If there are fewer, or
 * that one is no address, the socket's. What stands further left is the client's own claim and is never
 * looked at. Several header lines are one list, in their order.
 *
 * @see guestbook D-BOOK-17
 */
export function clientAddress(peer: {
  socket_address: string;
  forwarded_for: string | readonly string[] | undefined;
  /** How many proxies are believed; 0 for none. */
  trust_proxy: number;
}): string {
  const { socket_address, forwarded_for, trust_proxy } = peer;
  if (trust_proxy === 0 || forwarded_for === undefined) return socket_address;
  const list = typeof forwarded_for === 'string' ? forwarded_for : forwarded_for.join(',');
  const entries = list.split(',');
  const entry = entries.at(-trust_proxy)?.trim() ?? '';
  return isIP(entry) === 0 ? socket_address : entry;
}

/**
 * What limits count of an address: an IPv4 address whole, also when it is written as an IPv6 one
 * (`::ffff:…`); of another IPv6 address its /64, as in `2001:db8:0:1::/64`, for a household or a
 * machine has one to itself. Equal for all spellings of an address. What is no address counts as it is.
 */
export function limitKey(address: string): string {
  if (isIP(address) !== 6) return address;
  const groups = ipv6Groups(address);
  const is_mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (is_mapped) {
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.');
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

const ipv6_groups = 8;

/** The eight 16-bit groups of a valid IPv6 address, without its zone. */
function ipv6Groups(address: string): number[] {
  const [left = [], right = []] = address.replace(/%.*$/, '').split('::').map(readGroups);
  return [...left, ...Array<number>(ipv6_groups - left.length - right.length).fill(0), ...right];
}

/** The groups of a part of an address without `::`; an IPv4 address in it is two of them. */
function readGroups(part: string): number[] {
  if (part === '') return [];
  return part.split(':').flatMap((text) => {
    if (!text.includes('.')) return [Number.parseInt(text, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = text.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether an address is this machine's own, in any of its spellings. */
export function isLoopbackAddress(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && loopback.check(address, version === 4 ? 'ipv4' : 'ipv6');
}
