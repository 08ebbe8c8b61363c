import fastifyStatic from '@fastify/static';
import { web_folder } from '@stoa/web';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Deps } from '../deps.ts';
import type { Random } from '../random.ts';
import type { OpenRoom, Room } from '../room.ts';
import { badPathAnswer } from './answer-faults.ts';
import { clientErrorAnswer, refuseTunnel } from './client-error.ts';
import { watchConnections } from './connections.ts';
import { boundHead, header_bytes_max, urlBytesMax } from './head-bounds.ts';
import { MalformedFault } from './http-faults.ts';
import { mountRoom } from './mount-room.ts';
import { givePageHeaders } from './page-headers.ts';
import { urlRewriter } from './rewrite-url.ts';
import { roomFinder } from './room-at.ts';

const request_id_header = 'x-request-id';

/** The HTTP host of the house: all rooms on one port, by path and by host name. */
export type Host = {
  /** Begins to listen and answers the port. */
  listen(): Promise<number>;
  /** Stops listening, lets accepted requests finish, then lets go of the connections. */
  close(): Promise<void>;
  readonly fastify: FastifyInstance;
};

const serveFiles: FastifyPluginAsync = async (scope) => {
  // What lies outside of the folder is, for who asks, not there.
  scope.setErrorHandler((_error, _request, reply) => reply.callNotFound());
  await scope.register(fastifyStatic, { root: web_folder, prefix: '/assets/', maxAge: '1h' });
};

/** Ids of requests: those of one process begin alike and count on, so that they cost next to nothing. */
function requestIds(random: Random): () => string {
  const process_part = random.bytes(6).toString('base64url');
  let count = 0;
  return () => `req_${process_part}${(count++).toString(36).padStart(4, '0')}`;
}

/** Builds the host; `rooms` are mounted in order. */
export async function openHost(
  deps: Deps,
  rooms: readonly { room: Room; open: OpenRoom }[],
): Promise<Host> {
  const { config, clock, random, logger } = deps;
  const hosts = new Map(
    rooms.flatMap(({ room }) =>
      (config.hosts[room.name] ?? []).map((host) => [host, room.mount] as const),
    ),
  );
  const every_room = rooms.map(({ room }) => room);
  const roomAt = roomFinder(every_room);
  const answerBadPath = badPathAnswer(deps, every_room);
  const url_bytes_max = Math.max(...every_room.map(urlBytesMax));
  const fastify = Fastify({
    // Its one line that is no fault says that it listens, before the rooms have said that they can start.
    loggerInstance: logger.child(
      {},
      { level: logger.isLevelEnabled('warn') ? 'warn' : logger.level },
    ) as FastifyBaseLogger,
    // Nothing logs by request; what is said of one names its id.
    childLoggerFactory: (parent) => parent,
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    genReqId: requestIds(random),
    requestTimeout: config.http.request_timeout_ms,
    keepAliveTimeout: config.http.keep_alive_timeout_ms,
    http: {
      headersTimeout: config.http.header_timeout_ms,
      connectionsCheckingInterval: Math.min(5_000, config.http.header_timeout_ms),
      // Answered by the rooms, whose envelope Node does not know.
      requireHostHeader: false,
      // Of URL and headers together, from this size on.
      maxHeaderSize: url_bytes_max + header_bytes_max + 1,
    },
    forceCloseConnections: 'idle',
    // What was accepted is answered, and not with words that no protocol knows.
    return503OnClosing: false,
    exposeHeadRoutes: true,
    clientErrorHandler: clientErrorAnswer(hosts, roomAt),
    rewriteUrl: urlRewriter(hosts, roomAt),
    frameworkErrors: ({ code }, request, reply) => {
      reply.header(request_id_header, request.id);
      answerBadPath(code, request as FastifyRequest, reply as FastifyReply);
    },
    // What is too long for a room is for the room to say.
    routerOptions: { maxParamLength: url_bytes_max },
  });
  fastify.server.maxConnections = config.http.connections_max;
  // An expectation that we do not know is no reason to refuse (RFC 9110, section 10.1.1).
  fastify.server.on('checkExpectation', (request, response) =>
    fastify.server.emit('request', request, response),
  );
  fastify.server.on('connect', (_request, socket) => refuseTunnel(socket, roomAt('/').envelope));
  const connections = watchConnections(fastify.server);

  // Here and not in the rooms: a file is an answer too, and one that is not there has a page.
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header(request_id_header, request.id);
    done();
  });
  givePageHeaders(fastify);
  // After those headers, for a page says so with the headers of pages.
  fastify.decorateRequest('seen', null);
  fastify.addHook('onRequest', (request, _, done) => {
    boundHead({ url: request.url, raw_headers: request.raw.rawHeaders }, roomAt);
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      throw new MalformedFault('host header is missing; send one');
    }
    done();
  });
  await fastify.register(serveFiles);
  for (const { room, open } of rooms) await mountRoom(fastify, deps, room, open);

  return {
    fastify,
    async listen() {
      await fastify.listen({ port: config.port, host: config.host });
      const address = fastify.server.address();
      return typeof address === 'object' && address ? address.port : config.port;
    },
    async close() {
      connections.release();
      // Node no longer times out whoever stops in the middle of a request.
      const cancelCut = clock.after(config.http.request_timeout_ms, () =>
        fastify.server.closeAllConnections(),
      );
      await fastify.close();
      cancelCut();
    },
  };
}
