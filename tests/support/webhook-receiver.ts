import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type Outbound, openOutbound } from '../../packages/server/src/outbound/outbound.ts';
import { tls_certificate, tls_key } from './tls.ts';

/** One call of the house, as the receiver saw it. */
export type Hooked = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
};

export type WebhookReceiver = AsyncDisposable & {
  /** The network in which the house finds the receiver by `hook.test`. */
  readonly outbound: Outbound;
  /** What names mean in that network; tests may change it. */
  readonly names: Map<string, readonly string[]>;
  /** A URL of the receiver. */
  url(path: string, host?: string): string;
  /** What came to a path, in order. */
  at(path: string): readonly Hooked[];
  /** Waits until so many calls have come to a path. */
  calls(path: string, count: number): Promise<readonly Hooked[]>;
  /** What a path answers from now on: a status, or none before a promise is over. 204 if nothing is said. */
  answer(path: string, status: number, when?: Promise<unknown>): void;
  close(): Promise<void>;
};

/** Opens a receiver of webhooks over TLS, and the network in which a house reaches it. */
export async function openReceiver(): Promise<WebhookReceiver> {
  const answers = new Map<string, { status: number; when: Promise<unknown> }>();
  const seen: Hooked[] = [];
  const listeners = new Set<() => void>();
  const server = createServer(
    { cert: tls_certificate, key: tls_key },
    async (request, response) => {
      const parts = await request.toArray();
      const path = request.url ?? '';
      seen.push({ path, headers: request.headers, body: Buffer.concat(parts).toString() });
      for (const listen of listeners) listen();
      listeners.clear();
      const { status, when } = answers.get(path) ?? { status: 204, when: Promise.resolve() };
      await when;
      response.writeHead(status, status === 302 ? { location: url('/elsewhere') } : {}).end();
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = (path: string, host = 'hook.test') => `https://${host}:${port}${path}`;
  const names = new Map<string, readonly string[]>([
    ['hook.test', ['127.0.0.1']],
    ['other.test', ['127.0.0.1']],
  ]);
  const at = (path: string) => seen.filter((hooked) => hooked.path === path);
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return {
    names,
    url,
    at,
    outbound: openOutbound({
      resolve: async (name) => {
        const found = names.get(name);
        if (!found) throw new Error('no such name');
        return found;
      },
      ca: tls_certificate,
      is_allowed: (address) => address === '127.0.0.1',
    }),
    async calls(path, count) {
      while (at(path).length < count) {
        await new Promise<void>((resolve) => {
          listeners.add(resolve);
        });
      }
      return at(path);
    },
    answer: (path, status, when = Promise.resolve()) => answers.set(path, { status, when }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const stale_s_max = 300;

/** Holds a call to both signatures, as a receiver with this secret does at `now`. */
export function assertSigned({ headers, body }: Hooked, secret: string, now: number): void {
  const event = headers['x-ni-event'];
  const stamp = headers['x-ni-timestamp'];
  assert.match(String(event), /^ev_[A-Za-z0-9_-]{22}$/);
  assert.ok(Math.abs(Number(stamp) - now / 1_000) <= stale_s_max, 'the stamp is fresh');
  const own = createHmac('sha256', secret).update(`${stamp}.${body}`).digest('hex');
  assert.equal(headers['x-ni-signature'], `sha256=${own}`);
  assert.deepEqual([headers['webhook-id'], headers['webhook-timestamp']], [event, stamp]);
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  assert.equal(key.length, 32);
  const standard = createHmac('sha256', key).update(`${event}.${stamp}.${body}`).digest('base64');
  assert.equal(headers['webhook-signature'], `v1,${standard}`);
}
