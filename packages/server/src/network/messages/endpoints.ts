import { network_routes } from '@stoa/wire';
import type { Endpoint } from '../../room.ts';
import type { Network } from '../network.ts';
import { callerEndpoint } from '../network-endpoint.ts';
import { listThreads } from './list-threads.ts';
import { markRead } from './mark-read.ts';
import { readThread } from './read-thread.ts';
import { sendMessage } from './send-message.ts';

export function messagesEndpoints(network: Network): Endpoint[] {
  return [
    callerEndpoint(network, network_routes.sendMessage, sendMessage),
    callerEndpoint(network, network_routes.listThreads, listThreads),
    callerEndpoint(network, network_routes.readThread, readThread),
    callerEndpoint(network, network_routes.markRead, markRead),
  ];
}
