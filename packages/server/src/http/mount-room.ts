import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { RefusalError } from '../refusal.ts';
import type { Document, Endpoint, OpenRoom, Page, RawEndpoint, Room } from '../room.ts';
import { answerErrors, answerUnknown, readFault, sendFaultPage } from './answer-faults.ts';
import { mountDocs } from './docs-page.ts';
import { compileAnswerCheck } from './input.ts';
import { documentRoom, openApiSchema } from './openapi.ts';
import { readBodies } from './read-bodies.ts';
import { compileCall, readHead } from './read-call.ts';

const unlisted = { schema: { hide: true } } as const;

/** Answers the routes, pages and documents of an open room under its mount. */
export async function mountRoom(
  host: FastifyInstance,
  deps: Deps,
  room: Room,
  open: OpenRoom,
): Promise<void> {
  const mount: FastifyPluginAsync = async (scope) => {
    await documentRoom(scope, room);
    observe(scope, deps, room);
    readBodies(scope, room);
    answerErrors(scope, deps, room);
    answerUnknown(scope, deps, room, open);
    for (const endpoint of open.endpoints) mountEndpoint(scope, deps, room, endpoint);
    for (const page of open.pages) mountPage(scope, deps, room, page);
    for (const document of open.documents) mountDocument(scope, document);
    scope.get('/openapi.json', unlisted, async (_, reply) => {
      const servers = [{ url: deps.urls.room(room.name, room.mount) }];
      return reply.headers(open.document_headers ?? {}).send({ ...scope.swagger(), servers });
    });
    if (open.has_docs) await mountDocs(scope, room);
    if (room.mount !== '' && open.pages.length > 0) {
      // Links on a page are relative to its folder, so the page stands under the slash.
      scope.get('', unlisted, (_, reply) => reply.redirect(`${room.mount}/`, 308));
    }
  };
  await host.register(mount, { prefix: room.mount });
  for (const raw of open.raw ?? []) await mountRaw(host, deps, room, raw);
}

/** Counts and logs the requests of a scope, and gives their answers the room's headers. */
function observe(scope: FastifyInstance, { metrics, logger }: Deps, room: Room): void {
  const headers = Object.entries(room.headers ?? {});
  scope.addHook('onRequest', async (_, reply) => {
    for (const [name, value] of headers) reply.header(name, value);
  });
  scope.addHook('onResponse', async (request, reply) => {
    // The route, not the URL: a query may hold what no log should.
    const route = request.routeOptions.url ?? '(none)';
    const { statusCode: status, elapsedTime: elapsed_ms } = reply;
    metrics.requests.observe({ room: room.name, route, status }, elapsed_ms / 1_000);
    logger.info(
      {
        request_id: request.id,
        method: request.method,
        route,
        status,
        ms: Math.round(elapsed_ms * 10) / 10,
      },
      'request',
    );
  });
}

/** What ends in a slash is another path, so no parameter is empty; and U+0000 is in no name that we keep. */
const isNothing = (parameter: string) => parameter === '' || parameter.includes('\0');

function mountEndpoint(
  scope: FastifyInstance,
  deps: Deps,
  room: Room,
  { route, before, answer }: Endpoint,
): void {
  const readCall = compileCall(deps, room, route);
  const checks = deps.checks_answers
    ? new Map(
        Object.entries(route.answers).map(([status, schema]) => [
          Number(status),
          compileAnswerCheck(schema, `${route.method} ${route.path}`),
        ]),
      )
    : undefined;
  const seen = new WeakMap<FastifyRequest, unknown>();
  scope.route({
    method: route.method,
    url: route.path,
    schema: openApiSchema(room, route),
    onRequest: async (request) => {
      if (Object.values(request.params as Record<string, string>).some(isNothing)) {
        throw new RefusalError(room.faults.not_found);
      }
      if (before) seen.set(request, await before(readHead(deps, room, request)));
    },
    handler: async (request, reply) => {
      const { status, body, headers } = await answer(readCall(request, reply), seen.get(request));
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
  const readCall = compileCall(deps, room, page);
  const options = {
    ...unlisted,
    prefixTrailingSlash: 'slash',
    helmet: {},
    errorHandler: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      sendFaultPage(deps, room, request, reply, readFault(deps, room, error, request)),
  } as const;
  scope.get(page.path, options, async (request, reply) => {
    const { markup } = await page.render(readCall(request, reply));
    return reply.type('text/html; charset=utf-8').send(markup);
  });
}

function mountDocument(scope: FastifyInstance, { path, content_type, headers, text }: Document) {
  scope.get(path, unlisted, async (_, reply) =>
    reply
      .type(content_type)
      .headers(headers ?? {})
      .send(text()),
  );
}

/** A route that reads its body itself stands in a scope of its own, without the room's reader. */
async function mountRaw(
  host: FastifyInstance,
  deps: Deps,
  room: Room,
  { method, path, body_bytes_max, answer }: RawEndpoint,
): Promise<void> {
  const mount: FastifyPluginAsync = async (scope) => {
    observe(scope, deps, room);
    answerErrors(scope, deps, room);
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: body_bytes_max },
      async (_: unknown, octets: Buffer) => octets,
    );
    scope.addHook('preParsing', async (request) => {
      request.headers['content-type'] = 'application/octet-stream';
    });
    const send = async (
      octets: Buffer | 'too-large',
      request: FastifyRequest,
      reply: FastifyReply,
    ) => {
      const { status, body, headers } = await answer(octets, request.headers);
      return reply.code(status).headers(headers).send(body);
    };
    scope.route({
      method,
      url: path,
      ...unlisted,
      errorHandler: (error, request, reply) => {
        if ((error as { code?: string }).code !== 'FST_ERR_CTP_BODY_TOO_LARGE') throw error;
        return send('too-large', request, reply);
      },
      handler: (request, reply) =>
        send((request.body as Buffer | undefined) ?? Buffer.alloc(0), request, reply),
    });
  };
  await host.register(mount, { prefix: room.mount });
}
