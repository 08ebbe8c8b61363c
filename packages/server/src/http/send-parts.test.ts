import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import Fastify from 'fastify';
import { pino } from 'pino';
import { comesInParts, sendParts } from './send-parts.ts';

const logger = pino({ level: 'silent' });

/** A server that answers in these parts; answers its port. */
async function serve(t: TestContext, parts: () => AsyncIterable<string>): Promise<number> {
  const server = Fastify({ forceCloseConnections: true });
  server.get('/', (_, reply) => {
    reply.code(201).header('content-type', 'text/plain').header('x-own', 'yes');
    return sendParts(reply, parts(), logger);
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => server.close());
  const address = server.server.address();
  assert.ok(typeof address === 'object' && address);
  return address.port;
}

test('sendParts sends each part as it comes, under the head of the answer', async (t) => {
  const next = Promise.withResolvers<void>();
  const port = await serve(t, async function* () {
    yield 'one ';
    await next.promise;
    yield 'two';
  });
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  assert.equal(answer.status, 201);
  assert.equal(answer.headers.get('content-type'), 'text/plain');
  assert.equal(answer.headers.get('x-own'), 'yes');
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  assert.deepEqual(await reader?.read(), { done: false, value: 'one ' });
  next.resolve();
  assert.deepEqual(await reader?.read(), { done: false, value: 'two' });
  assert.equal((await reader?.read())?.done, true);
});

test('sendParts makes no more parts than are taken, and ends when the client goes', async (t) => {
  let made = 0;
  const over = Promise.withResolvers<void>();
  const port = await serve(t, async function* () {
    try {
      while (made < 1_000) {
        made += 1;
        yield 'x'.repeat(1_000_000);
      }
    } finally {
      over.resolve();
    }
  });
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'readable');
  // Whoever reads nothing gets what the buffers on the way hold.
  let before = -1;
  while (before !== made) {
    before = made;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.ok(made < 100, String(made));
  socket.destroy();
  await over.promise;
  assert.ok(made < 100);
});

test('sendParts breaks an answer off whose parts fail, so that it does not look whole', async (t) => {
  const port = await serve(t, async function* () {
    yield 'half';
    throw new Error('no more');
  });
  await assert.rejects(async () => (await fetch(`http://127.0.0.1:${port}/`)).text());
});

test('comesInParts knows what comes in parts from bodies of other kinds', () => {
  const parts = (async function* () {})();
  assert.equal(comesInParts(parts), true);
  for (const body of ['text', null, undefined, {}, [], Buffer.from(''), Readable.from(['x'])]) {
    assert.equal(comesInParts(body), false);
  }
});
