import { connect } from 'node:net';
import type { Chance } from './draw.ts';

const texts = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e',
  'é',
  '💬'.repeat(50),
  '../../etc/passwd',
  '..%2f..%2f',
  "'; drop table log_entry; --",
  '{{7*7}}',
  '<script>alert(1)</script>',
  '%',
  '%00',
  '%zz',
  '-1',
  '0',
  '1e999',
  '9007199254740993',
  'NaN',
  'null',
  'x'.repeat(300),
  'x'.repeat(3_000),
  '2026-09-07T12:00:00.000Z',
  '0'.repeat(64),
  `${'A'.repeat(43)}=`,
  `${'A'.repeat(86)}==`,
  'http://127.0.0.1/',
  'constructor',
  '__proto__',
];

const json_values = [null, true, 0, -1, 1.5, 1e300, [], {}, [[[]]], { a: { b: [] } }, ''];

/** A value of any kind that JSON can say. */
function drawValue(chance: Chance): unknown {
  if (chance.onceIn(3)) return chance.pick(json_values);
  if (chance.onceIn(8)) return Array.from({ length: chance.below(40) }, () => chance.pick(texts));
  return chance.pick(texts);
}

/** An operation that a room documents, as far as it matters here. */
export type Operation = { method: string; path: string; members: string[] };

type Described = {
  requestBody?: { content?: Record<string, { schema?: { properties?: object } }> };
};

/** What an OpenAPI document offers under `base`. */
export function operationsOf(
  base: string,
  document: { paths: Record<string, Record<string, Described>> },
): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]) => ({
      method: method.toUpperCase(),
      path: base + path,
      members: Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
        Object.keys(schema?.properties ?? {}),
      ),
    })),
  );
}

const bodies: readonly (string | Uint8Array<ArrayBuffer>)[] = [
  '',
  '{',
  'null',
  '[]',
  '"text"',
  '{"a":1}{"b":2}',
  '['.repeat(5_000),
  `{"name":"${'x'.repeat(20_000)}"}`,
  '{"__proto__":{"admin":true}}',
  '\ufeff{}',
  new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
  'a=1&b=2',
];

/** A request by the rules of HTTP that asks for nothing sensible. */
export function drawRequest(chance: Chance, operations: readonly Operation[]) {
  const { method, path, members } = chance.pick(operations);
  const segment = () => encodeURIComponent(chance.pick(texts).toWellFormed());
  const filled = path.replaceAll(/\{[^}]+\}/g, () => segment() || 'x');
  const query = chance.onceIn(3) ? `?${segment()}=${segment()}&after=${segment()}` : '';
  const body = chance.onceIn(3)
    ? chance.pick(bodies)
    : JSON.stringify(Object.fromEntries(members.map((name) => [name, drawValue(chance)])));
  const asked = chance.onceIn(6) ? chance.pick(['PUT', 'PATCH', 'DELETE', 'OPTIONS']) : method;
  return {
    path: `${filled}${query}`,
    init: {
      method: asked,
      headers: {
        ...(chance.onceIn(2) ? { 'content-type': chance.pick(types) } : {}),
        ...(chance.onceIn(3) ? { authorization: `Bearer ${segment()}` } : {}),
        'x-forwarded-for': `10.${chance.below(256)}.${chance.below(256)}.${chance.below(256)}`,
      },
      ...(asked === 'GET' || asked === 'HEAD' ? {} : { body }),
      redirect: 'manual',
    } satisfies RequestInit,
  };
}

const types = ['application/json', 'text/plain', 'multipart/form-data', 'x/y; charset=z', 'json'];

const heads = [
  'GET / HTTP/1.1\r\n\r\n',
  'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
  'get /health http/1.1\r\nhost: x\r\n\r\n',
  'BREW /pot HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET http://elsewhere.example/ HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET //x/../y HTTP/1.1\r\nHost: x\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n',
  'CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n',
  'TRACE / HTTP/1.1\r\nHost: x\r\n\r\n',
  `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(30_000)}\r\n\r\n`,
  `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(3_000)}\r\n`,
  'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\nExpect: the-unexpected\r\n\r\n',
  'POST /guestbook/api/guestbook/agents HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST /guestbook/api/guestbook/agents HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  'POST /guestbook/api/guestbook/agents HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{"name":',
  'POST /guestbook/api/guestbook/agents HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
  'GET /health HTTP/1.1\r\nHost: x\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\nGET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc',
  '\r\n\r\n\r\n',
  'hello',
];

const patience_ms = 300;

/** Sends what is hardly HTTP, whole or cut off; answers all that comes back before its patience ends. */
export async function sendRubbish(
  port: number,
  chance: Chance,
): Promise<{ statuses: number[]; said: string }> {
  const whole = chance.pick(heads);
  const sent = chance.onceIn(4) ? whole.slice(0, chance.below(whole.length)) : whole;
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => {});
  socket.write(sent, 'latin1');
  if (chance.onceIn(5)) socket.destroy();
  socket.setTimeout(patience_ms, () => socket.destroy());
  await new Promise((resolve) => socket.on('close', resolve));
  const said = Buffer.concat(chunks).toString('latin1');
  const statuses = [...said.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  return { statuses, said };
}
