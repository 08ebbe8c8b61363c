import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

type Words = {
  readonly status: number;
  readonly reason: string;
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly headers?: readonly string[];
};

const no_http: Words = {
  status: 400,
  reason: 'Bad Request',
  code: 'invalid-request',
  message: 'This is not HTTP as we know it.',
  hint: 'Send an HTTP/1.1 request with a method, a path and well-formed headers.',
};

const words: Readonly<Record<string, Words>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: 'Request Header Fields Too Large',
    code: 'headers-too-large',
    message: 'The request line and headers are too large.',
    hint: 'Send at most 16 KB of them.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    reason: 'Request Timeout',
    code: 'request-timeout',
    message: 'The request came too slowly.',
    hint: 'Send it in one go.',
  },
};

const no_tunnel: Words = {
  status: 405,
  reason: 'Method Not Allowed',
  code: 'method-not-allowed',
  message: 'This house opens no tunnels.',
  hint: 'Send the request itself, by its own method.',
  headers: ['Allow: GET, HEAD, POST, PATCH, PUT, DELETE'],
};

/** Says no where there is no request that a room could answer, and ends the connection. */
function endWith(socket: Duplex, said: Words): void {
  const { status, reason, code, message, hint, headers = [] } = said;
  const body = JSON.stringify({ error: { code, message, hint } });
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
    ...headers,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Answers what never became a request: broken HTTP, headers too large, a client too slow. */
export function answerClientError(error: { code?: string }, socket: Socket): void {
  // A connection on which nothing was ever said ends without a word: its client has asked nothing yet.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) {
    socket.destroy();
    return;
  }
  endWith(socket, words[error.code ?? ''] ?? no_http);
}

/** Answers CONNECT, which asks for a connection to elsewhere; Node has let go of the socket by then. */
export function refuseTunnel(socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  socket.once('finish', () => socket.destroy());
  endWith(socket, no_tunnel);
}
