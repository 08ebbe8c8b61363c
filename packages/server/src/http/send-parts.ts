import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';

/** Whether an answer's body comes in parts that are made while it is sent. */
export function comesInParts(body: unknown): body is AsyncIterable<string> {
  const is_object = typeof body === 'object' && body !== null;
  return is_object && Symbol.asyncIterator in body && !('pipe' in body);
}

/** Settles when more can be written, or nobody is there to read it. */
async function drained(raw: ServerResponse): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  try {
    await Promise.race([once(raw, 'drain', { signal }), once(raw, 'close', { signal })]);
  } finally {
    over.abort();
  }
}

/**
 * Sends the parts of a body as they come, past the stream machinery: of answers that stay open there are
 * thousands. Whoever makes the parts is told to end when the client goes away while one is being sent; while
 * the next is made, the call's own signal says so.
 */
export function sendParts(
  reply: FastifyReply,
  parts: AsyncIterable<string>,
  logger: Logger,
): FastifyReply {
  reply.hijack();
  const { raw } = reply;
  const request_id = reply.request.id;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  raw.statusCode = reply.statusCode;
  const writeAll = async () => {
    for await (const part of parts) {
      if (raw.destroyed) return;
      if (!raw.write(part)) await drained(raw);
    }
    raw.end();
  };
  writeAll().catch((error) => {
    logger.error({ err: error, request_id }, 'an answer broke off');
    raw.destroy();
  });
  return reply;
}
