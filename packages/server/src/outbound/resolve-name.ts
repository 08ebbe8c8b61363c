import { Resolver } from 'node:dns/promises';
import type { Resolve } from './outbound.ts';

const timeout_ms = 2_000;
const tries = 2;
/** The name is there, with no address of this kind. */
const no_address = 'ENODATA';

const codeOf = (error: unknown) => (error as { code?: unknown }).code;

/**
 * Looks names up by asking the network's name servers, or those of `servers`. Not as the system would, on the
 * threads that verify signatures too: a stranger's name may take as long as it likes to be answered.
 */
export function openResolver({ servers }: { servers?: readonly string[] } = {}): Resolve {
  const resolver = new Resolver({ timeout: timeout_ms, tries });
  if (servers) resolver.setServers(servers);
  return async (name) => {
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    if (addresses.length > 0) return addresses;
    const reasons = found.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    const reason = reasons.find((error) => codeOf(error) !== no_address);
    if (reason) throw reason;
    return [];
  };
}
