import { RefusalError } from '../../refusal.ts';
import type { Network } from '../network.ts';
import type { Account } from './account-store.ts';

const handle_form = /^[A-Za-z0-9-]{1,40}$/;
const domain_form = /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;

/** The refusal of what names nobody: of a body's `to` unless said otherwise. */
export type Unknown = 'unknown_recipient' | 'card_not_found' | 'unknown_request' | 'not_found';

/**
 * The one account that a handle or an address names, in any letter case (NET-040). Refuses what is of
 * neither form with `malformed`, what names nobody here with `unknown`, and a handle that two accounts
 * claim with `handle_conflict`.
 */
export async function resolveHandle(
  network: Network,
  text: string,
  { malformed, unknown }: { malformed: string; unknown: Unknown } = {
    malformed: 'invalid_to',
    unknown: 'unknown_recipient',
  },
): Promise<Account> {
  const [handle = '', domain, ...rest] = text.split('@');
  // Letters of other scripts are not folded: U+212A is no k (D-NET-08).
  const is_formed =
    handle_form.test(handle) &&
    (domain === undefined || domain_form.test(domain)) &&
    rest.length === 0;
  if (!is_formed) throw new RefusalError(malformed);
  const is_ours = domain === undefined || domain.toLowerCase() === network.domain;
  const found = is_ours ? await network.accounts.byHandle(handle.toLowerCase()) : [];
  if (found.length > 1) throw new RefusalError('handle_conflict');
  const [account] = found;
  if (!account) throw new RefusalError(unknown);
  return account;
}

/** The account that a path names by handle or address; `unknown` refuses what names nobody. */
export function resolvePathHandle(
  network: Network,
  text: string,
  unknown: Unknown,
): Promise<Account> {
  return resolveHandle(network, text, { malformed: unknown, unknown });
}
