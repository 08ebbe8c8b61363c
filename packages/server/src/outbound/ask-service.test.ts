import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { askService, ServiceUnavailableError } from './ask-service.ts';

let url = '';
const server = createServer((request, response) => {
  if (request.url === '/hang') return;
  if (request.url === '/away') {
    response.writeHead(302, { location: `${url}/long` }).end('there');
    return;
  }
  if (request.url === '/long') {
    response.end('x'.repeat(2_000));
    return;
  }
  let text = '';
  request.on('data', (part) => {
    text += part;
  });
  request.on('end', () => {
    const { method, headers } = request;
    response.writeHead(201).end(JSON.stringify({ method, type: headers['content-type'], text }));
  });
});

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const bounds = { time_ms_max: 5_000, octets_max: 1_000 };

test('askService sends JSON and answers what came, redirects as they are', async () => {
  const { status, octets } = await askService({
    url: `${url}/`,
    method: 'PATCH',
    body: { a: 1 },
    ...bounds,
  });
  assert.equal(status, 201);
  assert.deepEqual(JSON.parse(octets.toString()), {
    method: 'PATCH',
    type: 'application/json',
    text: '{"a":1}',
  });
  const away = await askService({ url: `${url}/away`, ...bounds });
  assert.deepEqual([away.status, away.octets.toString()], [302, 'there']);
});

test('askService waits and reads no more than it may, and says nothing of the answer', async () => {
  for (const call of [
    { url: `${url}/long`, ...bounds },
    { url: `${url}/hang`, ...bounds, time_ms_max: 50 },
    { url: 'http://127.0.0.1:1/', ...bounds },
  ]) {
    await assert.rejects(askService(call), (error) => {
      assert.ok(error instanceof ServiceUnavailableError);
      assert.doesNotMatch(error.message, /xx|127\.0/);
      return true;
    });
  }
});
