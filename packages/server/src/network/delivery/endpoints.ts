import { network_routes } from '@stoa/wire';
import type { Endpoint } from '../../room.ts';
import type { Network } from '../network.ts';
import { callerEndpoint } from '../network-endpoint.ts';
import { readQueue, waitForMessages } from './read-queue.ts';
import { readWebhook, setWebhook } from './set-webhook.ts';
import { streamMessages } from './stream-messages.ts';

export function deliveryEndpoints(network: Network): Endpoint[] {
  return [
    callerEndpoint(network, network_routes.readQueue, readQueue),
    callerEndpoint(network, network_routes.waitForMessages, waitForMessages),
    callerEndpoint(network, network_routes.streamMessages, streamMessages),
    callerEndpoint(network, network_routes.readWebhook, readWebhook),
    callerEndpoint(network, network_routes.setWebhook, setWebhook),
  ];
}
