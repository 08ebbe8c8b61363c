import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type Answer, parseJson } from './answers.ts';
import type { TestHouse } from './open-house.ts';

/** A connection to the house's port, on which a test says what it likes. */
export function openConnection(house: TestHouse): Socket {
  const { hostname, port } = new URL(house.house.listening);
  return connect(Number(port), hostname);
}

/** Sends octets on a connection of their own and reads what comes back until the house closes it. */
export async function exchange(house: TestHouse, octets: string | Uint8Array): Promise<string> {
  const socket = openConnection(house);
  socket.write(octets);
  return await readToEnd(socket);
}

/** What the house says on a connection until it closes it. */
export async function readToEnd(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  // A house that closes while we still send resets the connection after its answer.
  socket.on('error', () => {});
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

/** Reads an answer out of the octets of an HTTP/1.1 response that says its length. */
export function parseAnswer(octets: string): Answer {
  const [head = '', ...rest] = octets.split('\r\n\r\n');
  const [status_line = '', ...lines] = head.split('\r\n');
  assert.match(status_line, /^HTTP\/1\.1 [1-5]\d\d /, octets);
  const text = rest.join('\r\n\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const at = line.indexOf(':');
      return [line.slice(0, at), line.slice(at + 1).trim()];
    }),
  );
  return { status: Number(status_line.slice(9, 12)), headers, text, body: parseJson(text) };
}

/** A request with any header, such as the `Host` that `fetch` does not let a caller choose. */
export async function requestWith(
  house: TestHouse,
  path: string,
  options: {
    method?: string;
    headers?: Readonly<Record<string, string>>;
    /** Sent in chunks, without its length said. */
    body?: string;
  } = {},
): Promise<Answer> {
  const { method = 'GET', headers = {}, body } = options;
  const { hostname, port } = new URL(house.house.listening);
  const sent = request({ hostname, port, path, method, headers: { ...headers }, agent: false });
  sent.end(body);
  const [response] = await once(sent, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return {
    status: response.statusCode,
    headers: new Headers(Object.entries<string>(response.headers)),
    text,
    body: parseJson(text),
  };
}
