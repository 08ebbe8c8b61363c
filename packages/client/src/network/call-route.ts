import type { Answer, Route } from '@stoa/wire';
import { type Fetch, requestJson } from '../request-json.ts';
import { pathOf, type RouteInput, readAnswer } from '../route-request.ts';

/** How a call is made. */
export type CallOptions = {
  /** gives up waiting; a write may have happened all the same */
  readonly signal?: AbortSignal | undefined;
};

type Sending = CallOptions & {
  /** sends no credential */
  readonly is_public?: true;
  /** how long the server may hold the request */
  readonly wait_ms?: number;
};

/** Calls a route of the network once, and reads its answer by the route's schema. */
export type CallRoute = <R extends Route>(
  route: R,
  input?: RouteInput,
  how?: Sending,
) => Promise<Answer<R>>;

/** Where a network is, how to reach it, and by which credential. */
export type Reach = {
  readonly base_url: string;
  readonly fetch: Fetch;
  readonly timeout_ms: number;
  /** @throws TypeError while there is no credential. */
  readonly passcode: () => string;
};

export const credential = (passcode: string) => ({ 'x-inbox-passcode': passcode });

/** A caller of the network's routes. */
export function callerTo({ base_url, fetch, timeout_ms, passcode }: Reach): CallRoute {
  return async (route, input = {}, { is_public, wait_ms = 0, signal } = {}) => {
    const url = base_url + pathOf(route, input);
    const answer = await requestJson({
      fetch,
      url,
      method: route.method,
      headers: is_public ? {} : credential(passcode()),
      ...(input.body === undefined ? {} : { body: input.body }),
      statuses: Object.keys(route.answers).map(Number),
      timeout_ms: timeout_ms + wait_ms,
      signal,
    });
    return readAnswer<typeof route>(route, { ...answer, url });
  };
}
