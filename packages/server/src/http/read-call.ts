import type { IncomingHttpHeaders } from 'node:http';
import type { Route } from '@stoa/wire';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientAddress, limitKey } from '../addresses.ts';
import type { Deps } from '../deps.ts';
import { RefusalError, type RefusalOptions } from '../refusal.ts';
import type { Room } from '../room.ts';
import type { Call, Head, Unchecked } from './call.ts';
import { compileInput, type Part } from './input.ts';
import { wasForm } from './read-bodies.ts';

/** What stands before the room's paths for who made this request: its mount, or nothing on its own host. */
export function basePath(room: Room, request: FastifyRequest): string {
  return request.originalUrl === request.url ? room.mount : '';
}

/** Reads what a request says before its body; what most routes do not ask for is read when they do. */
class ReadHead implements Head {
  readonly headers: IncomingHttpHeaders;
  readonly method: string;
  readonly base_path: string;
  readonly #deps: Deps;
  readonly #room: Room;
  readonly #request: FastifyRequest;

  constructor(deps: Deps, room: Room, request: FastifyRequest) {
    this.headers = request.headers;
    this.method = request.method;
    this.base_path = basePath(room, request);
    this.#deps = deps;
    this.#room = room;
    this.#request = request;
  }

  get path(): string {
    return this.#request.url.slice(this.#room.mount.length);
  }

  get address(): string {
    return clientAddress({
      socket_address: this.#request.socket.remoteAddress ?? '',
      forwarded_for: this.headers['x-forwarded-for'],
      trust_proxy: this.#deps.config.trust_proxy,
    });
  }

  get client(): string {
    return limitKey(this.address);
  }
}

/** Reads what a request says before its body. */
export const readHead = (deps: Deps, room: Room, request: FastifyRequest): Head =>
  new ReadHead(deps, room, request);

class ReadUnchecked extends ReadHead implements Unchecked {
  readonly params: Unchecked['params'];
  readonly query: Unchecked['query'];
  readonly body: unknown;

  constructor(deps: Deps, room: Room, request: FastifyRequest) {
    super(deps, room, request);
    this.params = request.params as Unchecked['params'];
    this.query = request.query as Unchecked['query'];
    this.body = request.body;
  }
}

/** Reads a request whose parts are not held to their schemas yet. */
export const readUnchecked = (deps: Deps, room: Room, request: FastifyRequest): Unchecked =>
  new ReadUnchecked(deps, room, request);

/** A signal that is given when the client goes away before it is answered. */
export function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  if (reply.raw.destroyed) gone.abort();
  return gone.signal;
}

const refuse = (code: string, options?: RefusalOptions) => new RefusalError(code, options);

type Parts = { readonly params: unknown; readonly query: unknown; readonly body: unknown };

class ReadCall extends ReadHead {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly refuse = refuse;
  readonly #reply: FastifyReply;
  #signal: AbortSignal | undefined;

  constructor(deps: Deps, room: Room, reply: FastifyReply, { params, query, body }: Parts) {
    super(deps, room, reply.request);
    this.params = params;
    this.query = query;
    this.body = body;
    this.#reply = reply;
  }

  get is_form(): boolean {
    return wasForm(this.#reply.request);
  }

  get signal(): AbortSignal {
    this.#signal ??= goneSignal(this.#reply);
    return this.#signal;
  }
}

/** Compiles the reading of a route's requests: each part validated, or an `InputFault`. */
export function compileCall(
  deps: Deps,
  room: Room,
  route: Pick<Route, 'params' | 'query' | 'body' | 'body_is_optional' | 'body_instead'>,
): (request: FastifyRequest, reply: FastifyReply) => Call<Route> {
  const { rules, lists_faults, signs_integers = false, bodies } = room;
  const of = (part: Part) => ({
    ...(lists_faults ? { lists_faults_of: part } : {}),
    may_be_signed: signs_integers,
  });
  const params = route.params && compileInput(route.params, rules, 'text', of('path'));
  const query = route.query && compileInput(route.query, rules, 'text', of('query'));
  const body = route.body && compileInput(route.body, rules, 'json', of('body'));
  const { when_given = [], body: other } = route.body_instead ?? {};
  const body_instead = other && compileInput(other, rules, 'json', of('body'));
  const may_be_empty = route.body_is_optional || bodies.empty_is_object;
  const isOther = (given: unknown) =>
    typeof given === 'object' &&
    given !== null &&
    when_given.some((name) => (given as Record<string, unknown>)[name] != null);
  return (request, reply) => {
    const now = deps.clock.now();
    const given = may_be_empty && request.body === undefined ? {} : request.body;
    const call = new ReadCall(deps, room, reply, {
      params: params?.(request.params, now),
      query: query?.(request.query, now),
      body: (body_instead && isOther(given) ? body_instead : body)?.(given, now),
    });
    // @NOTE Which parts are there, and of which types, follows from the route that compiled them.
    return call as unknown as Call<Route>;
  };
}
