import { network_routes } from '@stoa/wire';
import type { Endpoint } from '../../room.ts';
import type { Network } from '../network.ts';
import { callerEndpoint } from '../network-endpoint.ts';
import { acceptRequest } from './accept-request.ts';
import { blockSender } from './block-sender.ts';
import { declineRequest } from './decline-request.ts';
import { listContacts } from './list-contacts.ts';
import { listRequests } from './list-requests.ts';
import { pageEndpoint } from './page-endpoint.ts';
import { removeBlock } from './remove-block.ts';
import { removeContact } from './remove-contact.ts';

export function consentEndpoints(network: Network): Endpoint[] {
  return [
    callerEndpoint(network, network_routes.listRequests, listRequests),
    callerEndpoint(network, network_routes.acceptRequest, acceptRequest),
    callerEndpoint(network, network_routes.declineRequest, declineRequest),
    callerEndpoint(network, network_routes.blockSender, blockSender),
    pageEndpoint(network, network_routes.acceptOnPage, acceptRequest),
    pageEndpoint(network, network_routes.declineOnPage, declineRequest),
    pageEndpoint(network, network_routes.blockOnPage, blockSender),
    callerEndpoint(network, network_routes.listContacts, listContacts),
    callerEndpoint(network, network_routes.removeContact, removeContact),
    callerEndpoint(network, network_routes.removeBlock, removeBlock),
  ];
}
