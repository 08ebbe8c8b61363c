import { Readable } from 'node:stream';
import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { RefusalError } from '../refusal.ts';
import type { OpenRoom, RawAnswer, RawEndpoint, RawRequest, Room } from '../room.ts';
import { answerErrors, readFault, sendFaultPage } from './answer-faults.ts';
import { Html } from './html.ts';
import { observe } from './observe.ts';
import { goneSignal, readHead } from './read-call.ts';
import { isNothing, unlisted } from './route-options.ts';

const nothing = Buffer.alloc(0);

/** Reads a request for an endpoint that takes it as its bytes say it. */
function readRaw(deps: Deps, room: Room, request: FastifyRequest, reply: FastifyReply): RawRequest {
  const head = readHead(deps, room, request);
  const { body } = request;
  let signal: AbortSignal | undefined;
  return {
    headers: head.headers,
    method: head.method,
    path: head.path,
    base_path: head.base_path,
    client: head.client,
    address: head.address,
    params: request.params as Record<string, string>,
    query: new URL(request.url, 'http://house').searchParams,
    cookies: request.cookies,
    body: body instanceof Readable || Buffer.isBuffer(body) ? body : nothing,
    request_id: request.id,
    get signal() {
      signal ??= goneSignal(reply);
      return signal;
    },
  };
}

function sendRaw(reply: FastifyReply, { status, headers, cookies, body }: RawAnswer): FastifyReply {
  reply.code(status);
  for (const { name, value, path, same_site, is_secure, lives_s } of cookies ?? []) {
    reply.setCookie(name, value, {
      path,
      sameSite: same_site,
      secure: is_secure,
      maxAge: lives_s,
      httpOnly: true,
    });
  }
  if (body instanceof Html) reply.type('text/html; charset=utf-8');
  return reply.headers(headers ?? {}).send(body instanceof Html ? body.markup : body);
}

/** A route that reads its body itself stands in a scope of its own, without the room's reader. */
export async function mountRaw(
  host: FastifyInstance,
  deps: Deps,
  { room, open, raw }: { room: Room; open: OpenRoom; raw: RawEndpoint },
): Promise<void> {
  const { method, path, reads, is_page, answer, answerTooLarge } = raw;
  const mount: FastifyPluginAsync = async (scope) => {
    await scope.register(cookie);
    observe(scope, deps, room, open.before_all);
    answerErrors(scope, deps, room);
    scope.removeAllContentTypeParsers();
    if (reads === 'stream') {
      scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    } else {
      scope.addContentTypeParser(
        '*',
        { parseAs: 'buffer', bodyLimit: reads.octets_max },
        async (_: unknown, octets: Buffer) => octets,
      );
    }
    const content_types = new WeakMap<FastifyRequest, string | undefined>();
    scope.addHook('preParsing', async (request) => {
      content_types.set(request, request.headers['content-type']);
      request.headers['content-type'] = 'application/octet-stream';
    });
    scope.route({
      method,
      url: path,
      ...unlisted,
      ...(is_page ? { helmet: {} } : {}),
      prefixTrailingSlash: 'slash',
      errorHandler: (error, request, reply) => {
        const is_too_large = (error as { code?: string }).code === 'FST_ERR_CTP_BODY_TOO_LARGE';
        if (is_too_large && answerTooLarge) return sendRaw(reply, answerTooLarge());
        if (!is_page) throw error;
        return sendFaultPage(deps, room, request, reply, readFault(deps, room, error, request));
      },
      handler: async (request, reply) => {
        const content_type = content_types.get(request);
        if (content_type === undefined) delete request.headers['content-type'];
        else request.headers['content-type'] = content_type;
        const params = Object.values(request.params as Record<string, string>);
        if (params.some((parameter) => isNothing(parameter, room))) {
          throw new RefusalError(room.faults.not_found);
        }
        return sendRaw(reply, await answer(readRaw(deps, room, request, reply)));
      },
    });
  };
  await host.register(mount, { prefix: room.mount });
}
