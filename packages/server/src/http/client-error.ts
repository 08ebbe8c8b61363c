import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Envelope, Said } from '../room.ts';

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

const no_url: Words = {
  ...no_http,
  message: 'The URL holds characters that must be percent-encoded.',
  hint: 'Encode what is not printable ASCII as UTF-8 in percent signs.',
};

const words: Readonly<Record<string, Words>> = {
  HPE_INVALID_URL: no_url,
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

const said = ({ code, message, hint }: Words): Said => ({
  code,
  message,
  hint,
  has_detail: false,
  retry_after_s: undefined,
  base_path: '',
  more: {},
});

/** Says no where there is no request that a room could answer, and ends the connection. */
function endWith(socket: Duplex, words: Words, envelope: Envelope): void {
  const { status, reason, headers = [] } = words;
  const body = JSON.stringify(envelope(said(words)));
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

const request_line = /^\S+ (\/[^\r\n]*?) HTTP\/1\.[01]\r\n/;
const host_line = /\r\nhost:[ \t]*([^\r\n:]*)/i;

/** The URL that was asked for, under the mount of the room whose own host it is, if its line came. */
function urlOf(packet: string, hosts: ReadonlyMap<string, string>): string {
  const url = request_line.exec(packet)?.[1] ?? '/';
  const host = host_line.exec(packet)?.[1] ?? '';
  return (hosts.get(host.trim().toLowerCase()) ?? '') + url;
}

/**
 * Answers what never became a request, such as broken HTTP, headers too large, a client too slow, in the
 * envelope of the room that it was meant for, as far as that can be seen.
 */
export function clientErrorAnswer(
  hosts: ReadonlyMap<string, string>,
  roomAt: (url: string) => { readonly envelope: Envelope },
) {
  return (error: { code?: string; rawPacket?: unknown }, socket: Socket): void => {
    // A connection on which nothing was ever said ends without a word: its client has asked nothing yet.
    if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) {
      socket.destroy();
      return;
    }
    const packet = Buffer.isBuffer(error.rawPacket) ? error.rawPacket.toString('latin1') : '';
    const { envelope } = roomAt(urlOf(packet, hosts));
    endWith(socket, words[error.code ?? ''] ?? no_http, envelope);
  };
}

/** Answers CONNECT, which asks for a connection to elsewhere; Node has let go of the socket by then. */
export function refuseTunnel(socket: Duplex, envelope: Envelope): void {
  socket.on('error', () => socket.destroy());
  socket.once('finish', () => socket.destroy());
  endWith(socket, no_tunnel, envelope);
}
