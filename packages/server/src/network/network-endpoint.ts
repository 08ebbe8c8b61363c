import type { Answer, Route } from '@stoa/wire';
import type { Call } from '../http/call.ts';
import { admittedEndpoint } from '../http/endpoint.ts';
import type { Endpoint } from '../room.ts';
import { admitCaller } from './admit.ts';
import type { Caller } from './caller.ts';
import type { Network } from './network.ts';

/** Joins a route that needs a caller to its use case. */
export function callerEndpoint<R extends Route>(
  network: Network,
  route: R,
  useCase: (network: Network, call: Call<R>, caller: Caller) => Promise<Answer<R>>,
): Endpoint {
  return admittedEndpoint<R, Caller>(
    route,
    (request) => admitCaller(network, request),
    (call, caller) => useCase(network, call, caller),
  );
}
