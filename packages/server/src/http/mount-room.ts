import helmet from '@fastify/helmet';
import type { Refusals, Route } from '@stoa/wire';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clientAddress, limitKey } from '../addresses.ts';
import type { Deps } from '../deps.ts';
import { RefusalError } from '../refusal.ts';
import type { Endpoint, OpenRoom, Page, Room } from '../room.ts';
import type { Call } from './call.ts';
import { compileAnswerCheck, compileInput, InputFault, type InputReader } from './input.ts';
import { parseJsonBody } from './json-body.ts';
import { methodsAt } from './methods-at.ts';
import { documentRoom, openApiSchema } from './openapi.ts';
import { page_headers } from './page.ts';

type Parts = { params?: InputReader; query?: InputReader; body?: InputReader };

/** Answers the routes, pages and documents of an open room under its mount. */
export async function mountRoom(
  host: FastifyInstance,
  deps: Deps,
  room: Room,
  open: OpenRoom,
): Promise<void> {
  await host.register(
    async (scope) => {
      await documentRoom(scope, room);
      await scope.register(helmet, { global: false, ...page_headers });
      readBodies(scope, room);
      answerFaults(scope, deps, room, open);
      for (const endpoint of open.endpoints) mountEndpoint(scope, deps, room, endpoint);
      for (const page of open.pages) mountPage(scope, deps, room, page);
      for (const { path, content_type, text } of open.documents) {
        scope.get(path, { schema: { hide: true } }, (_, reply) =>
          reply.type(content_type).send(text()),
        );
      }
      scope.get('/openapi.json', { schema: { hide: true } }, () => ({
        ...scope.swagger(),
        servers: [{ url: deps.urls.room(room.name, room.mount) }],
      }));
      if (room.mount !== '') {
        // Links on a page are relative to its folder, so the page stands under the slash.
        scope.get('', { schema: { hide: true } }, (_, reply) =>
          reply.redirect(`${room.mount}/`, 308),
        );
      }
    },
    { prefix: room.mount },
  );
}

function readBodies(scope: FastifyInstance, room: Room): void {
  scope.removeAllContentTypeParsers();
  const octets = { parseAs: 'buffer', bodyLimit: room.body_bytes_max } as const;
  const types = room.takes_any_content_type ? '*' : 'application/json';
  scope.addContentTypeParser(types, octets, async (_: unknown, body: Buffer) =>
    parseJsonBody(body),
  );
  if (!room.takes_any_content_type) return;
  scope.addHook('preParsing', async (request) => {
    if (request.method !== 'POST') return;
    // Bodies of any type need no preflight, so a foreign page could post in its visitors' names.
    if (request.headers['sec-fetch-site'] === 'cross-site') {
      throw new InputFault(
        'request comes from a page of another site; send it from a program of your own',
      );
    }
    // Fastify turns malformed content types away before a parser for all of them is asked.
    request.headers['content-type'] = 'application/json';
  });
}

function compileParts(room: Room, route: Pick<Route, 'params' | 'query' | 'body'>): Parts {
  return {
    ...(route.params ? { params: compileInput(route.params, room.rules, 'text') } : {}),
    ...(route.query ? { query: compileInput(route.query, room.rules, 'text') } : {}),
    ...(route.body ? { body: compileInput(route.body, room.rules, 'json') } : {}),
  };
}

function readCall(deps: Deps, request: FastifyRequest, parts: Parts): Call<Route> {
  const now = deps.clock.now();
  const gone = new AbortController();
  request.raw.once('close', () => {
    if (!request.raw.complete || request.raw.destroyed) gone.abort();
  });
  return {
    params: parts.params?.(request.params, now),
    query: parts.query?.(request.query, now),
    body: parts.body?.(request.body, now),
    get client() {
      return limitKey(
        clientAddress({
          socket_address: request.socket.remoteAddress ?? '',
          forwarded_for: request.headers['x-forwarded-for'],
          trust_proxy: deps.config.trust_proxy,
        }),
      );
    },
    signal: gone.signal,
    refuse: (code, options) => new RefusalError(code, options),
  } as Call<Route>;
}

function mountEndpoint(scope: FastifyInstance, deps: Deps, room: Room, endpoint: Endpoint): void {
  const { route, before, answer } = endpoint;
  const parts = compileParts(room, route);
  const checks = deps.checks_answers
    ? new Map(
        Object.entries(route.answers).map(([status, schema]) => [
          Number(status),
          compileAnswerCheck(schema, `${route.method} ${route.path}`),
        ]),
      )
    : undefined;
  scope.route({
    method: route.method,
    url: route.path,
    schema: openApiSchema(room, route),
    ...(before ? { onRequest: () => before() } : {}),
    handler: async (request, reply) => {
      const { status, body, headers } = await answer(readCall(deps, request, parts));
      if (checks) {
        const check = checks.get(status);
        if (!check) throw new Error(`${route.path} answered ${status}, which it does not document`);
        check(body);
      }
      if (headers) reply.headers(headers);
      return reply.code(status).send(body);
    },
  });
}

function mountPage(scope: FastifyInstance, deps: Deps, room: Room, page: Page): void {
  const parts = compileParts(room, page);
  const options = { prefixTrailingSlash: 'slash', helmet: {}, schema: { hide: true } } as const;
  scope.get(page.path, options, async (request, reply) => {
    const { markup } = await page.render(readCall(deps, request, parts));
    return reply.type('text/html; charset=utf-8').send(markup);
  });
}

/** Which of the room's codes an error is, and what to say of it. */
function faultOf(room: Room, error: unknown, request_id: string): RefusalError {
  if (error instanceof RefusalError) return error;
  const { faults } = room;
  if (error instanceof InputFault)
    return new RefusalError(faults.invalid, { detail: error.message });
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const detail = `body is too large; send at most ${room.body_bytes_max} bytes`;
    return new RefusalError(faults.too_large, { detail });
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new RefusalError(faults.invalid, { detail: 'content-type must be application/json' });
  }
  if (typeof code === 'string' && code.startsWith('FST_ERR_') && statusCode && statusCode < 500) {
    return new RefusalError(faults.invalid, { detail: 'body could not be read; send JSON' });
  }
  return new RefusalError(faults.internal, {
    detail: `Something failed on our side: request ${request_id}.`,
  });
}

function answerFaults(scope: FastifyInstance, deps: Deps, room: Room, open: OpenRoom): void {
  const check = deps.checks_answers
    ? compileAnswerCheck(room.envelope_schema, `a refusal of ${room.name}`)
    : undefined;
  const refusals: Refusals = room.refusals;
  const send = (reply: FastifyReply, refusal: RefusalError) => {
    const said = refusals[refusal.code];
    if (!said) throw new Error(`${room.name} has no refusal called ${refusal.code}`);
    const body = room.envelope(refusal.code, refusal.detail ?? `${said.message} ${said.hint}`);
    check?.(body);
    return reply.code(said.status).headers(refusal.headers).send(body);
  };

  scope.setErrorHandler((error, request, reply) => {
    const refusal = faultOf(room, error, request.id);
    if (refusal.code === room.faults.internal) {
      deps.logger.error({ request_id: request.id, err: error }, 'a request failed');
    }
    return send(reply, refusal);
  });
  const takes = methodsAt(open);
  scope.setNotFoundHandler((request, reply) => {
    const path = request.url.slice(room.mount.length).split('?', 1)[0] ?? '';
    const methods = takes(path);
    if (methods.length === 0) return send(reply, new RefusalError(room.faults.not_found));
    if (room.faults.wrong_method !== room.faults.not_found)
      reply.header('allow', methods.join(', '));
    return send(reply, new RefusalError(room.faults.wrong_method));
  });
}
