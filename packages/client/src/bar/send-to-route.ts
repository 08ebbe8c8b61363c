import type { Answer, BarRoute } from '@stoa/wire';
import { type Fetch, requestJson } from '../request-json.ts';
import { pathOf, type RouteInput, readAnswer } from '../route-request.ts';

/** How it travels. */
export type Sending = {
  /** the session token, where the route needs one */
  readonly token?: string;
  /** `<quiz_id>:<answer>` */
  readonly quiz?: string;
  /** how long the server may hold the request */
  readonly wait_ms?: number;
  readonly signal?: AbortSignal | undefined;
};

/** What a route answers when it does not refuse. */
export type Answered<R extends BarRoute> = Answer<R>['body'];

/** Sends one request to a route and reads its answer by the route's schema. */
export type SendToRoute = <R extends BarRoute>(
  route: R,
  input: RouteInput,
  how: Sending,
) => Promise<Answered<R>>;

/**
 * A sender to the bar under `base_url`. It tries once.
 *
 * @throws what `requestJson` does; UnexpectedAnswerError for an answer of another shape.
 */
export function senderTo(bar: { base_url: string; fetch: Fetch; timeout_ms: number }): SendToRoute {
  return async (route, input, how) => {
    const url = bar.base_url + pathOf(route, input);
    const { status, body } = await requestJson({
      fetch: bar.fetch,
      url,
      method: route.method,
      headers: {
        ...(how.token === undefined ? {} : { authorization: `Bearer ${how.token}` }),
        ...(how.quiz === undefined ? {} : { 'x-korova-quiz': how.quiz }),
      },
      ...(input.body === undefined ? {} : { body: input.body }),
      statuses: Object.keys(route.answers).map(Number),
      timeout_ms: bar.timeout_ms + (how.wait_ms ?? 0),
      signal: how.signal,
    });
    return readAnswer<typeof route>(route, { status, body, url }).body;
  };
}
