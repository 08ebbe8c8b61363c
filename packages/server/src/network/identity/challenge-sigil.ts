import type { Answer, network_routes } from '@stoa/wire';
import { isoInstant } from '../../clock.ts';
import type { Call } from '../../http/call.ts';
import { readHandle } from '../accounts/read-handle.ts';
import { addressOf, type Network } from '../network.ts';
import { mintChallenge } from './sigil-challenge.ts';

type ChallengeSigil = typeof network_routes.challengeSigil;

/** Gives a challenge; whether anybody has the handle, it does not tell (D-NET-14). */
export async function challengeSigil(
  network: Network,
  { body, refuse }: Call<ChallengeSigil>,
): Promise<Answer<ChallengeSigil>> {
  const named = readHandle(network, body.handle);
  if (!named?.is_ours) throw refuse('invalid_handle');
  const address = addressOf(network, named.handle);
  const { challenge, expires_at } = mintChallenge(network, address);
  const headers = { 'cache-control': 'no-store' };
  return {
    status: 201,
    headers,
    body: { challenge, address, audience: network.base(), expires_at: isoInstant(expires_at) },
  };
}
