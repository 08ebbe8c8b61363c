import { network_routes } from '@stoa/wire';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../room.ts';
import type { Network } from '../network.ts';
import { callerEndpoint } from '../network-endpoint.ts';
import { listDirectory } from './list-directory.ts';
import { makeOwnCard } from './make-own-card.ts';
import { showCard } from './show-card.ts';

export function cardsEndpoints(network: Network): Endpoint[] {
  return [
    endpoint(network_routes.listDirectory, (call) => listDirectory(network, call)),
    endpoint(network_routes.showCard, (call) => showCard(network, call)),
    callerEndpoint(network, network_routes.makeCard, makeOwnCard),
  ];
}
