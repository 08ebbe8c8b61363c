import type { Endpoint } from '../../room.ts';
import type { Network } from '../network.ts';

export function identityEndpoints(_network: Network): Endpoint[] {
  return [];
}
