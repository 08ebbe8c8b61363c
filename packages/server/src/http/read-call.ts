import type { Route } from '@stoa/wire';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientAddress, limitKey } from '../addresses.ts';
import type { Deps } from '../deps.ts';
import { RefusalError } from '../refusal.ts';
import type { Room } from '../room.ts';
import type { Call, Head } from './call.ts';
import { compileInput, type Part } from './input.ts';

/** What stands before the room's paths for who made this request: its mount, or nothing on its own host. */
export function basePath(room: Room, request: FastifyRequest): string {
  return request.originalUrl === request.url ? room.mount : '';
}

/** Reads what a request says before its body. */
export function readHead(deps: Deps, room: Room, request: FastifyRequest): Head {
  return {
    headers: request.headers,
    base_path: basePath(room, request),
    get client() {
      return limitKey(
        clientAddress({
          socket_address: request.socket.remoteAddress ?? '',
          forwarded_for: request.headers['x-forwarded-for'],
          trust_proxy: deps.config.trust_proxy,
        }),
      );
    },
  };
}

/** A signal that is given when the client goes away before it is answered. */
function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  if (reply.raw.destroyed) gone.abort();
  return gone.signal;
}

/** Compiles the reading of a route's requests: each part validated, or an `InputFault`. */
export function compileCall(
  deps: Deps,
  room: Room,
  route: Pick<Route, 'params' | 'query' | 'body' | 'body_is_optional' | 'body_instead'>,
): (request: FastifyRequest, reply: FastifyReply) => Call<Route> {
  const { rules, lists_faults } = room;
  const of = (part: Part) => (lists_faults ? { lists_faults_of: part } : {});
  const params = route.params && compileInput(route.params, rules, 'text', of('path'));
  const query = route.query && compileInput(route.query, rules, 'text', of('query'));
  const body = route.body && compileInput(route.body, rules, 'json', of('body'));
  const { when_given = [], body: other } = route.body_instead ?? {};
  const body_instead = other && compileInput(other, rules, 'json', of('body'));
  const isOther = (given: unknown) =>
    typeof given === 'object' &&
    given !== null &&
    when_given.some((name) => (given as Record<string, unknown>)[name] != null);
  return (request, reply) => {
    const now = deps.clock.now();
    const given = route.body_is_optional && request.body === undefined ? {} : request.body;
    const head = readHead(deps, room, request);
    let signal: AbortSignal | undefined;
    const call = {
      headers: head.headers,
      base_path: head.base_path,
      get client() {
        return head.client;
      },
      params: params?.(request.params, now),
      query: query?.(request.query, now),
      body: (body_instead && isOther(given) ? body_instead : body)?.(given, now),
      get signal() {
        signal ??= goneSignal(reply);
        return signal;
      },
      refuse: (code: string, options?: ConstructorParameters<typeof RefusalError>[1]) =>
        new RefusalError(code, options),
    };
    // @NOTE Which parts are there, and of which types, follows from the route that compiled them.
    return call as Call<Route>;
  };
}
