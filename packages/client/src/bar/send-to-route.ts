import type { Answer, BarRoute } from '@stoa/wire';
import { Value } from 'typebox/value';
import { UnexpectedAnswerError } from '../errors.ts';
import { type Fetch, requestJson } from '../request-json.ts';

/** What a request to a route carries; a query's `undefined` is left out. */
export type RouteInput = {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: object;
};

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
 * Members of an answer that its schema does not know are dropped, so that a server may learn to say
 * more; everything that it does know must hold.
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
    return readAnswer(route, status, body, url);
  };
}

function pathOf(route: BarRoute, { params = {}, query = {} }: RouteInput): string {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name] ?? '')),
  );
  const asked = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, String(value)]);
  return asked.length === 0 ? path : `${path}?${new URLSearchParams(asked)}`;
}

function readAnswer<R extends BarRoute>(
  route: R,
  status: number,
  body: unknown,
  url: string,
): Answered<R> {
  const schema = route.answers[status];
  if (schema === undefined) throw new UnexpectedAnswerError(`${url} answered with ${status}`);
  const answer = Value.Clean(schema, body);
  if (!Value.Check(schema, answer)) {
    const [first] = Value.Errors(schema, answer);
    const what = first === undefined ? '' : `: ${first.instancePath || 'it'} ${first.message}`;
    throw new UnexpectedAnswerError(`${url} answered what ${route.name} does not${what}`);
  }
  // @NOTE the answer was just checked against the schema from which this type is made.
  return answer as Answered<R>;
}
