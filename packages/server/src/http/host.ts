import type { IncomingMessage } from 'node:http';
import helmet from '@fastify/helmet';
import fastifyStatic from '@fastify/static';
import { web_folder } from '@stoa/web';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  LogController,
} from 'fastify';
import type { Deps } from '../deps.ts';
import type { OpenRoom, Room } from '../room.ts';
import { answerClientError } from './client-error.ts';
import { mountRoom } from './mount-room.ts';
import { page_headers } from './page.ts';

/** Longer than the 60 s after which common proxies drop an idle connection, so that they do it first. */
const keep_alive_timeout_ms = 72_000;

/** The HTTP host of the house: all rooms on one port, by path and by host name. */
export type Host = {
  /** Begins to listen and answers the port. */
  listen(): Promise<number>;
  /** Stops listening, lets accepted requests finish, then lets go of the connections. */
  close(): Promise<void>;
  readonly fastify: FastifyInstance;
};

/** Maps requests for a room's own host to its mount; assets stand at the same path on every host. */
function rewriteByHost(hosts: ReadonlyMap<string, string>) {
  return (request: IncomingMessage): string => {
    const url = request.url ?? '/';
    const host = (request.headers.host ?? '').toLowerCase().replace(/:[0-9]+$/, '');
    const mount = hosts.get(host);
    return mount === undefined || url.startsWith('/assets/') ? url : mount + url;
  };
}

/** Builds the host; `rooms` are mounted in order. */
export async function openHost(
  deps: Deps,
  rooms: readonly { room: Room; open: OpenRoom }[],
): Promise<Host> {
  const { config, random, logger } = deps;
  const hosts = new Map(
    rooms.flatMap(({ room }) =>
      (config.hosts[room.name] ?? []).map((host) => [host, room.mount] as const),
    ),
  );
  const fastify = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    genReqId: () => `req_${random.bytes(9).toString('base64url')}`,
    requestTimeout: config.http.request_timeout_ms,
    keepAliveTimeout: keep_alive_timeout_ms,
    http: {
      headersTimeout: config.http.header_timeout_ms,
      connectionsCheckingInterval: Math.min(5_000, config.http.header_timeout_ms),
    },
    forceCloseConnections: 'idle',
    exposeHeadRoutes: true,
    clientErrorHandler: answerClientError,
    rewriteUrl: rewriteByHost(hosts),
    frameworkErrors: (error, _, reply) => {
      const body = { error: { code: 'invalid-request', message: 'The path is not a valid URL.' } };
      (reply as FastifyReply).code(error.statusCode ?? 400).send(body);
    },
    routerOptions: { maxParamLength: 1_024 },
  });
  fastify.server.maxConnections = config.http.connections_max;

  // Here and not in the rooms: a file that is not there is answered by a page as well.
  await fastify.register(helmet, { global: false, ...page_headers });
  await fastify.register(fastifyStatic, { root: web_folder, prefix: '/assets/', maxAge: '1h' });
  for (const { room, open } of rooms) await mountRoom(fastify, deps, room, open);

  return {
    fastify,
    async listen() {
      await fastify.listen({ port: config.port, host: config.host });
      const address = fastify.server.address();
      return typeof address === 'object' && address ? address.port : config.port;
    },
    close: () => fastify.close(),
  };
}
