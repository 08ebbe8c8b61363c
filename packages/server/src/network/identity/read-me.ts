import type { Answer, network_routes } from '@stoa/wire';
import { isoInstant } from '../../clock.ts';
import type { Call } from '../../http/call.ts';
import type { Account } from '../accounts/account-store.ts';
import type { Caller } from '../caller.ts';
import { readCard } from '../cards/read-card.ts';
import { countIncoming } from '../consent/request-store.ts';
import { GitUnavailableError } from '../git/git-host.ts';
import { addressOf, cardUrl, type Network } from '../network.ts';
import { settingsOf } from './settings.ts';

type ReadMe = typeof network_routes.readMe;
type CardState = Answer<ReadMe>['body']['card'];

/** How the card of an account stands; what cannot be read at this moment is pending. */
async function cardState(network: Network, account: Account): Promise<CardState> {
  const url = cardUrl(network, account.handle);
  try {
    const card = await readCard(network, account);
    if (!card) {
      const status = account.git_state === 'pending' ? 'pending' : 'missing';
      return { url, status, reason: null };
    }
    return card.valid
      ? { url, status: 'valid', reason: null }
      : { url, status: 'invalid', reason: card.reason };
  } catch (error) {
    if (!(error instanceof GitUnavailableError)) throw error;
    return { url, status: 'pending', reason: 'git_unavailable' };
  }
}

/** Who the caller is (NET-054). */
export async function readMe(
  network: Network,
  _call: Call<ReadMe>,
  { account, auth }: Caller,
): Promise<Answer<ReadMe>> {
  const { handle, kind, display_name } = account;
  return {
    status: 200,
    body: {
      account: account.account,
      kind,
      handle,
      address: addressOf(network, handle),
      display_name,
      auth,
      card: await cardState(network, account),
      settings: settingsOf(account),
      profile: null,
      payments: 'off',
      pending_requests: await countIncoming(network.read, account.account),
      csrf: null,
      server_time: isoInstant(network.clock.now()),
    },
  };
}
