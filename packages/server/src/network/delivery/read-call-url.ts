import { readTarget, type Target } from '../../outbound/read-target.ts';
import { call_time_ms_max } from '../limits.ts';
import type { Network } from '../network.ts';

/**
 * Where a URL that an account gave leads; undefined where we do not call. In practice mode alone it may lead
 * to this machine, so that clients can be tried (D-NET-42).
 */
export const readCallUrl = ({ config }: Pick<Network, 'config'>, url: string): Target | undefined =>
  readTarget(url, { allows_loopback: config.practice });

/** Whether a URL may be kept to be called later, its name as it stands now included (D-NET-78). */
export async function mayKeepUrl(
  network: Pick<Network, 'config' | 'outbound'>,
  url: string,
): Promise<boolean> {
  const target = readCallUrl(network, url);
  return target !== undefined && (await network.outbound.mayCall(target, call_time_ms_max));
}
