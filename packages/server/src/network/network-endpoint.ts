import type { Answer, Route } from '@stoa/wire';
import type { Call } from '../http/call.ts';
import { admittedEndpoint } from '../http/endpoint.ts';
import { RefusalError } from '../refusal.ts';
import type { Endpoint } from '../room.ts';
import { admitCaller } from './admit.ts';
import type { Caller } from './caller.ts';
import type { Network } from './network.ts';

/** A body that is no object is refused before it matters who sends it (D-NET-22). */
function refuseShapeless(route: Route, body: unknown): void {
  if (!route.body) return;
  const is_absent = body === undefined && route.body_is_optional === true;
  const is_object = typeof body === 'object' && body !== null && !Array.isArray(body);
  if (!is_absent && !is_object) throw new RefusalError('invalid_json');
}

/** Joins a route that needs a caller to its use case. */
export function callerEndpoint<R extends Route>(
  network: Network,
  route: R,
  useCase: (network: Network, call: Call<R>, caller: Caller) => Promise<Answer<R>>,
): Endpoint {
  return admittedEndpoint<R, Caller>(
    route,
    (request) => {
      refuseShapeless(route, request.body);
      return admitCaller(network, request);
    },
    (call, caller) => useCase(network, call, caller),
  );
}
