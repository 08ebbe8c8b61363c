import { network_routes } from '@stoa/wire';
import { Type } from 'typebox';
import { page } from '../../http/endpoint.ts';
import type { Endpoint, Page } from '../../room.ts';
import type { Network } from '../network.ts';
import { callerEndpoint } from '../network-endpoint.ts';
import { readInbox, waitForInbox } from './read-inbox.ts';
import { renderInbox } from './render-inbox.ts';
import { sendToInbox } from './send-to-inbox.ts';
import { setWakeUrl } from './set-wake-url.ts';

export function legacyInboxEndpoints(network: Network): Endpoint[] {
  return [
    callerEndpoint(network, network_routes.readInbox, readInbox),
    callerEndpoint(network, network_routes.waitForInbox, waitForInbox),
    callerEndpoint(network, network_routes.sendToInbox, sendToInbox),
    callerEndpoint(network, network_routes.setWakeUrl, setWakeUrl),
  ];
}

export function legacyInboxPages(network: Network): Page[] {
  return [
    page('/inbox', Type.Object({}), (call) => renderInbox(network, call), {
      headers: { 'cache-control': 'no-store' },
    }),
  ];
}
