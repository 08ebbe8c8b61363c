import type { Network } from '../network.ts';

const handle_form = /^[A-Za-z0-9-]{1,40}$/;
const domain_form = /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;

/**
 * The handle in a handle or an address, in any letter case, and whether the address is of this house;
 * undefined for what is of neither form. Letters of other scripts are not folded: U+212A is no k.
 */
export function readHandle(
  { domain }: Pick<Network, 'domain'>,
  text: string,
): { handle: string; is_ours: boolean } | undefined {
  const [handle = '', of, ...rest] = text.split('@');
  if (!handle_form.test(handle) || rest.length > 0) return undefined;
  if (of !== undefined && !domain_form.test(of)) return undefined;
  const is_ours = of === undefined || of.toLowerCase() === domain;
  return { handle: handle.toLowerCase(), is_ours };
}
