import Fastify from 'fastify';
import type { Metrics } from '../metrics.ts';

/** Serves `/metrics` alone on a TCP port, for a Prometheus that cannot reach the admin socket. */
export async function openMetricsPort(
  metrics: Metrics,
  host: string,
  port: number,
): Promise<{ close(): Promise<void> }> {
  const fastify = Fastify({ logger: false, forceCloseConnections: true });
  fastify.get('/metrics', async (_, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
  await fastify.listen({ host, port });
  return { close: () => fastify.close() };
}
