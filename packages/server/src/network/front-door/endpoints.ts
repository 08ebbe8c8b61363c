import { network_routes } from '@stoa/wire';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../room.ts';
import type { Network } from '../network.ts';
import { answerRegistration } from './answer-registration.ts';
import { listRegistrations } from './list-registrations.ts';

export function frontDoorEndpoints(network: Network): Endpoint[] {
  return [
    endpoint(network_routes.register, (call) => answerRegistration(network, call)),
    endpoint(network_routes.listRegistrations, (call) => listRegistrations(network, call)),
  ];
}
