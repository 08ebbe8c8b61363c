import { chmodSync, existsSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import Fastify from 'fastify';
import type { Logger } from 'pino';
import { compileInput, InputFault } from '../http/input.ts';
import type { Metrics } from '../metrics.ts';
import { RefusalError } from '../refusal.ts';
import type { CommandHandler } from '../room.ts';
import { StartError } from '../start-fault.ts';

/** What Linux allows for the path of a socket; longer ones are cut off in silence. */
const socket_path_bytes_max = 107;

export type AdminSocket = { close(): Promise<void> };

/** Removes the socket of a process that is gone; throws `StartError` if one still answers at `path`. */
export async function clearStaleSocket(path: string): Promise<void> {
  if (!existsSync(path)) return;
  const is_answered = await new Promise<boolean>((resolve) => {
    const probe = connect(path, () => {
      probe.destroy();
      resolve(true);
    });
    probe.on('error', () => resolve(false));
  });
  if (is_answered)
    throw new StartError(`another house is open on this data folder (${path} answers)`);
  rmSync(path);
}

/**
 * Serves the operator's commands on a Unix socket that only the house's own user may open:
 * `POST /<room>/<verb>` with the arguments as JSON, and `GET /metrics`.
 */
export async function openAdminSocket(options: {
  path: string;
  metrics: Metrics;
  logger: Logger;
  commands: readonly CommandHandler[];
}): Promise<AdminSocket> {
  const { path, metrics, logger, commands } = options;
  if (Buffer.byteLength(path) > socket_path_bytes_max) {
    throw new StartError(
      `the path of the admin socket is too long; use a data folder nearer to the root: ${path}`,
    );
  }
  await clearStaleSocket(path);
  const fastify = Fastify({ logger: false, forceCloseConnections: true });
  fastify.setErrorHandler((error, _, reply) => {
    if (error instanceof RefusalError) {
      return reply.code(400).send({ error: { code: error.code, message: error.message } });
    }
    if (error instanceof InputFault) {
      return reply.code(400).send({ error: { code: 'invalid-request', message: error.message } });
    }
    logger.error({ err: error }, 'a command failed');
    const message = 'The command failed; the log of the house says why.';
    return reply.code(500).send({ error: { code: 'internal-error', message } });
  });
  for (const { command, run } of commands) {
    const read = compileInput(command.arguments, {}, 'json');
    fastify.post(`/${command.room}/${command.verb}`, async (request) => {
      const answer = await run(read(request.body, 0));
      logger.info({ command: `${command.room} ${command.verb}` }, 'command');
      return answer;
    });
  }
  fastify.get('/metrics', async (_, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
  await fastify.listen({ path });
  chmodSync(path, 0o600);
  return { close: () => fastify.close() };
}
