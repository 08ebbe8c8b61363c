import { bar_routes } from '@stoa/wire';
import type { Endpoint } from '../../room.ts';
import type { Bar } from '../bar.ts';
import { memberEndpoint } from '../bar-endpoint.ts';
import { checkMessage } from './check-message.ts';
import { postMessage } from './post-message.ts';
import { readChain } from './read-chain.ts';
import { readInbox } from './read-inbox.ts';
import { readMessages } from './read-messages.ts';
import { checkDm, sendDm } from './send-dm.ts';

/** The routes of this part of the bar with the use cases that answer them. */
export function messageEndpoints(bar: Bar): Endpoint[] {
  return [
    memberEndpoint(bar, bar_routes.readMessages, readMessages),
    memberEndpoint(bar, bar_routes.postMessage, postMessage, checkMessage),
    memberEndpoint(bar, bar_routes.readChain, readChain),
    memberEndpoint(bar, bar_routes.sendDm, sendDm, checkDm),
    memberEndpoint(bar, bar_routes.readInbox, readInbox),
  ];
}
