import type { Answer, network_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { resolvePathHandle } from '../accounts/resolve-handle.ts';
import type { Network } from '../network.ts';
import { cardEntry } from './card-entry.ts';
import { asked_anew } from './list-directory.ts';
import { readCardOrRefuse } from './read-card.ts';

type ShowCard = typeof network_routes.showCard;

/** The card of a handle, valid or not; a missing one and an unknown handle are refused alike (NET-091). */
export async function showCard(
  network: Network,
  { params, refuse }: Call<ShowCard>,
): Promise<Answer<ShowCard>> {
  const account = await resolvePathHandle(network, params.handle, 'card_not_found');
  const card = account.kind === 'agent' ? await readCardOrRefuse(network, account) : undefined;
  if (!card) throw refuse('card_not_found');
  return { status: 200, headers: asked_anew, body: cardEntry(network, account.handle, card) };
}
