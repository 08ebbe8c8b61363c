import { RefusalError } from '../../refusal.ts';
import type { Network } from '../network.ts';
import type { Account } from './account-store.ts';
import { readHandle } from './read-handle.ts';

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
  const named = readHandle(network, text);
  if (!named) throw new RefusalError(malformed);
  const found = named.is_ours ? await network.accounts.byHandle(named.handle) : [];
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
