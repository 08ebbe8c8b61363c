import type { FastifyInstance } from 'fastify';
import type { Histogram } from 'prom-client';
import type { Deps } from '../deps.ts';
import type { OpenRoom, Room } from '../room.ts';
import { readHead } from './read-call.ts';

/** Counts and logs the requests of a scope, gives their answers the room's headers, and lets the room see them first. */
export function observe(
  scope: FastifyInstance,
  deps: Deps,
  room: Room,
  before_all: OpenRoom['before_all'],
): void {
  const { metrics, logger } = deps;
  const headers = Object.entries(room.headers ?? {});
  scope.addHook('onRequest', (_, reply, done) => {
    for (const [name, value] of headers) reply.header(name, value);
    done();
  });
  if (before_all) {
    scope.addHook('onRequest', (request) => before_all(readHead(deps, room, request)));
  }
  const timersOf = new Map<string, Histogram.Internal<'room' | 'route' | 'status'>>();
  const timerOf = (route: string, status: number) => {
    const key = `${status} ${route}`;
    const known = timersOf.get(key);
    if (known) return known;
    const timer = metrics.requests.labels({ room: room.name, route, status });
    timersOf.set(key, timer);
    return timer;
  };
  scope.addHook('onResponse', (request, reply, done) => {
    // The route, not the URL: a query may hold what no log should.
    const route = request.routeOptions.url ?? '(none)';
    const { statusCode: status, elapsedTime: elapsed_ms } = reply;
    timerOf(route, status).observe(elapsed_ms / 1_000);
    if (!logger.isLevelEnabled('info')) return done();
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
    done();
  });
}
