import { network_routes } from '@stoa/wire';
import type { Endpoint } from '../../room.ts';
import { finds_limit } from '../limits.ts';
import type { Network } from '../network.ts';
import { callerEndpoint } from '../network-endpoint.ts';
import { findAccounts } from './find-accounts.ts';
import { introduce } from './introduce.ts';

export function conciergeEndpoints(network: Network): Endpoint[] {
  const finds = network.limits.window({ name: 'net-finds', ...finds_limit });
  return [
    callerEndpoint(network, network_routes.findAccounts, (network, call, caller) =>
      findAccounts(network, call, { caller, finds }),
    ),
    callerEndpoint(network, network_routes.introduce, introduce),
  ];
}
