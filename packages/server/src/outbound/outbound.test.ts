import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttp } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { tls_certificate, tls_key } from '../../../../tests/support/tls.ts';
import { openOutbound, type Resolve, UndeliveredError } from './outbound.ts';
import { readTarget } from './read-target.ts';

type Seen = { host: string | undefined; servername: unknown; body: string; event: unknown };

/** A receiver over TLS on 127.0.0.1 that answers `status`; silent without one. */
async function openReceiver(status: number | undefined) {
  const seen: Seen[] = [];
  const server = createServer(
    { cert: tls_certificate, key: tls_key },
    async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part);
      const { servername } = request.socket as { servername?: unknown };
      const { host, 'x-ni-event': event } = request.headers;
      seen.push({ host, servername, body: Buffer.concat(parts).toString(), event });
      if (status === undefined) return;
      response.writeHead(status, { location: 'https://other.test/elsewhere' });
      response.end('x'.repeat(1_000_000));
    },
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const to = (text: string) => readTarget(text, { allows_loopback: true }) ?? assert.fail(text);
const hook = (port: number) => to(`https://hook.test:${port}/hook?a=b`);
const is_allowed = (address: string) => address === '127.0.0.1';
const names =
  (addresses: Record<string, readonly string[]>): Resolve =>
  async (name) => {
    const found = addresses[name];
    if (!found) throw new Error('no such name');
    return found;
  };

const undelivered = (reason: UndeliveredError['reason']) => (error: unknown) =>
  error instanceof UndeliveredError && error.reason === reason;

const given = { headers: { 'x-ni-event': 'ev_1' }, body: '{"type":"message"}', time_ms_max: 5_000 };

describe('Outbound', () => {
  test('posts to the vetted address under the name of the URL', async () => {
    await using receiver = await openReceiver(204);
    const resolve = names({ 'hook.test': ['127.0.0.1'] });
    const outbound = openOutbound({ resolve, ca: tls_certificate, is_allowed });
    assert.equal(await outbound.post({ target: hook(receiver.port), ...given }), 204);
    assert.deepEqual(receiver.seen, [
      {
        host: `hook.test:${receiver.port}`,
        servername: 'hook.test',
        body: given.body,
        event: 'ev_1',
      },
    ]);
  });

  test('looks a name up once for each call, so that it cannot mean another address by then', async () => {
    await using receiver = await openReceiver(200);
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    let asked = 0;
    const resolve: Resolve = async () => answers[asked++] ?? [];
    const outbound = openOutbound({ resolve, ca: tls_certificate, is_allowed });
    assert.equal(await outbound.post({ target: hook(receiver.port), ...given }), 200);
    assert.equal(asked, 1);
    await assert.rejects(
      outbound.post({ target: hook(receiver.port), ...given }),
      undelivered('refused'),
    );
    assert.equal(asked, 2);
    assert.equal(receiver.seen.length, 1);
  });

  test('refuses a name of which one address is of the inside, and connects to none', async () => {
    await using receiver = await openReceiver(200);
    const resolve = names({ 'hook.test': ['127.0.0.1', '192.168.0.1'] });
    const outbound = openOutbound({ resolve, ca: tls_certificate, is_allowed });
    await assert.rejects(
      outbound.post({ target: hook(receiver.port), ...given }),
      undelivered('refused'),
    );
    assert.equal(receiver.seen.length, 0);
  });

  test('refuses this machine unless tests say otherwise', async () => {
    await using receiver = await openReceiver(200);
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
      const resolve = names({ 'hook.test': [address] });
      const outbound = openOutbound({ resolve, ca: tls_certificate });
      await assert.rejects(
        outbound.post({ target: hook(receiver.port), ...given }),
        undelivered('refused'),
      );
    }
    assert.equal(receiver.seen.length, 0);
  });

  test('follows no redirect', async () => {
    await using receiver = await openReceiver(302);
    const resolve = names({ 'hook.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'] });
    const outbound = openOutbound({ resolve, ca: tls_certificate, is_allowed });
    assert.equal(await outbound.post({ target: hook(receiver.port), ...given }), 302);
    assert.equal(receiver.seen.length, 1);
  });

  test('says why nothing was delivered', async () => {
    await using receiver = await openReceiver(undefined);
    const resolve = names({
      'hook.test': ['127.0.0.1'],
      'wrong.test': ['127.0.0.1'],
      'no.test': [],
    });
    const outbound = openOutbound({ resolve, ca: tls_certificate, is_allowed });
    const post = (text: string, time_ms_max = 5_000) =>
      outbound.post({ target: to(text), ...given, time_ms_max });
    await assert.rejects(post('https://unknown.test/'), undelivered('unresolved'));
    await assert.rejects(post('https://no.test/'), undelivered('unresolved'));
    await assert.rejects(post(`https://wrong.test:${receiver.port}/`), undelivered('unreachable'));
    await assert.rejects(
      post(`https://hook.test:${receiver.port}/`, 100),
      undelivered('unreachable'),
    );
    assert.equal(receiver.seen.length, 1);
    const stuck = openOutbound({ resolve: () => new Promise(() => {}), is_allowed });
    await assert.rejects(
      stuck.post({ target: hook(receiver.port), ...given, time_ms_max: 50 }),
      undelivered('unreachable'),
    );
  });

  test('mayCall vets every address of a name, and holds nothing against one that is not known yet', async () => {
    const later = Object.assign(new Error('try again'), { code: 'EAI_AGAIN' });
    const resolve: Resolve = async (name) => {
      if (name === 'later.test') throw later;
      if (name === 'slow.test') return new Promise(() => {});
      return names({
        'good.test': ['8.8.8.8'],
        'both.test': ['8.8.8.8', '10.0.0.1'],
        'no.test': [],
      })(name);
    };
    const outbound = openOutbound({ resolve });
    const may = (name: string) => outbound.mayCall(to(`https://${name}/`), 100);
    const found = await Promise.all(
      ['good', 'later', 'slow', 'both', 'no', 'unknown'].map((name) => may(`${name}.test`)),
    );
    assert.deepEqual(found, [true, true, true, false, false, false]);
  });

  test('posts without TLS to this machine, where practice mode has let the URL pass', async () => {
    const server = createHttp((_, response) => response.writeHead(201).end()).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const outbound = openOutbound();
    assert.equal(await outbound.post({ target: to(`http://127.0.0.1:${port}/`), ...given }), 201);
    server.closeAllConnections();
    server.close();
  });
});
