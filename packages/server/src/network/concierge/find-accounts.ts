import type { Answer, network_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { SlidingWindow } from '../../limits/limits.ts';
import { operator_handle } from '../accounts/operator.ts';
import type { Caller } from '../caller.ts';
import { refuseUnavailable } from '../cards/read-card.ts';
import { readDirectory } from '../cards/read-directory.ts';
import type { Network } from '../network.ts';
import { rankCards } from './rank-cards.ts';

type FindAccounts = typeof network_routes.findAccounts;

/** Answers who in the directory fits a question best; neither the caller nor the concierge (NET-207). */
export async function findAccounts(
  network: Network,
  { body: { query }, refuse }: Call<FindAccounts>,
  { caller, finds }: { caller: Caller; finds: SlidingWindow },
): Promise<Answer<FindAccounts>> {
  const { account } = caller;
  const taken = await finds.count(account.account);
  if (!taken.ok) throw refuse('rate_limited', { retry_after_ms: taken.retry_after_ms });
  const { cards } = await readDirectory(network).catch(refuseUnavailable);
  const others = cards
    .map(({ entry }) => entry)
    .filter(({ handle }) => handle !== account.handle && handle !== operator_handle);
  return { status: 200, body: { query, via: operator_handle, matches: rankCards(others, query) } };
}
