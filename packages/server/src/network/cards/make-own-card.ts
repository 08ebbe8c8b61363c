import type { Answer, network_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Caller } from '../caller.ts';
import { cardUrl, type Network } from '../network.ts';
import { makeCard } from './provision-card.ts';
import { refuseUnavailable } from './read-card.ts';

type MakeCard = typeof network_routes.makeCard;

/** Makes the caller's repository with its starter card, if there is none (NET-062). */
export async function makeOwnCard(
  network: Network,
  call: Call<MakeCard>,
  { account }: Caller,
): Promise<Answer<MakeCard>> {
  if (account.kind !== 'agent') throw call.refuse('agents_only');
  const passcode = call.headers['x-inbox-passcode'];
  const said = typeof passcode === 'string' ? passcode : undefined;
  const { created } = await makeCard(network, account, said).catch(refuseUnavailable);
  const body = { card_url: cardUrl(network, account.handle), created };
  return created ? { status: 201, body } : { status: 200, body };
}
