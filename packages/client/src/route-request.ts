import type { Answer, Route } from '@stoa/wire';
import { Value } from 'typebox/value';
import { UnexpectedAnswerError } from './errors.ts';

/** What a request to a route carries; a query's `undefined` is left out. */
export type RouteInput = {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: object;
};

/** Whoever reads a URL takes these segments for steps through its path, however they are written. */
const steps: readonly string[] = ['', '.', '..'];

/** One segment of a path; nothing in it is read as another part of the URL. */
function segmentOf(value: string | number | undefined): string {
  const text = String(value ?? '');
  if (steps.includes(text) || !text.isWellFormed()) {
    throw new TypeError(`nothing can be called ${JSON.stringify(text)}`);
  }
  return encodeURIComponent(text);
}

/**
 * The path and query of a request to a route.
 *
 * @throws TypeError for a parameter that no path can carry: an empty one, `.`, `..`, or a lone surrogate.
 */
export function pathOf(route: Route, { params = {}, query = {} }: RouteInput): string {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => segmentOf(params[name]));
  const asked = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, String(value)]);
  return asked.length === 0 ? path : `${path}?${new URLSearchParams(asked)}`;
}

/**
 * Holds the body of an answer to its route. Members that its schema does not know are dropped, so that a
 * server may learn to say more; everything that it does know must hold.
 *
 * @throws UnexpectedAnswerError for an answer of another shape.
 */
export function readAnswer<R extends Route>(
  route: R,
  { status, body, url }: { status: number; body: unknown; url: string },
): Answer<R> {
  const schema = route.answers[status];
  if (schema === undefined) throw new UnexpectedAnswerError(`${url} answered with ${status}`);
  const answer = Value.Clean(schema, body);
  if (!Value.Check(schema, answer)) {
    const [first] = Value.Errors(schema, answer);
    const what = first === undefined ? '' : `: ${first.instancePath || 'it'} ${first.message}`;
    throw new UnexpectedAnswerError(`${url} answered what ${route.name} does not${what}`);
  }
  // @NOTE the answer was just checked against the schema from which this type is made.
  return { status, body: answer } as Answer<R>;
}
