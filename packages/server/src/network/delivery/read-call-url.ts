import { call_url_form } from '@stoa/wire';
import { readTarget, type Target, url_length_max } from '../../outbound/read-target.ts';
import { call_time_ms_max } from '../limits.ts';
import type { Network } from '../network.ts';

/**
 * Where a URL that an account gave leads; undefined where we do not call. In practice mode alone it may lead
 * to this machine, so that clients can be tried (D-NET-42).
 */
export const readCallUrl = ({ config }: Pick<Network, 'config'>, url: string): Target | undefined =>
  readTarget(url, { allows_loopback: config.practice });

/**
 * Why a URL may not be kept to be called later, as the refusal says it; undefined if it may. What its name
 * stands for now is looked at as well (D-NET-78).
 */
export async function whyNotKept(
  network: Pick<Network, 'config' | 'outbound'>,
  url: string,
): Promise<string | undefined> {
  const target = readCallUrl(network, url);
  if (target && (await network.outbound.mayCall(target, call_time_ms_max))) return undefined;
  return `url ${faultWords(url)}; send ${call_url_form}`;
}

/**
 * What is wrong with a URL that is refused, as far as its own text tells. Of all hosts the same is said: who
 * asks is not to learn what a name stands for on our side.
 */
function faultWords(url: string): string {
  if (url.length > url_length_max) return `is longer than ${url_length_max} characters`;
  if (/[\s\p{Cc}\\]/u.test(url)) return 'holds white space, a control character or a backslash';
  if (!/^https:\/\//i.test(url)) return 'does not begin with https://';
  if (/^https:\/\/[^/?#]*@/i.test(url)) return 'holds a user name';
  return 'has no host that can be reached from the open internet';
}
