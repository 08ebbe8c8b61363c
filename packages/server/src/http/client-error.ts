import type { Socket } from 'node:net';

const statuses: Readonly<Record<string, readonly [number, string, string, string]>> = {
  HPE_HEADER_OVERFLOW: [
    431,
    'Request Header Fields Too Large',
    'headers-too-large',
    'The headers are too large; send at most 16 KB of them.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    408,
    'Request Timeout',
    'request-timeout',
    'The request came too slowly; send it in one go.',
  ],
};

/** Answers what never became a request: broken HTTP, headers too large, a client too slow. */
export function answerClientError(error: { code?: string }, socket: Socket): void {
  // A connection on which nothing was ever said ends without a word: its client has asked nothing yet.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) {
    socket.destroy();
    return;
  }
  const [status, reason, code, message] = statuses[error.code ?? ''] ?? [
    400,
    'Bad Request',
    'invalid-request',
    'This is not HTTP as we know it.',
  ];
  const body = JSON.stringify({ error: { code, message } });
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
