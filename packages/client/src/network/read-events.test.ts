import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEvents, type ServerSentEvent } from './read-events.ts';

async function read(...chunks: (string | Uint8Array)[]) {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) {
        controller.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk);
      }
      controller.close();
    },
  });
  const events: ServerSentEvent[] = [];
  for await (const event of readEvents(body)) events.push(event);
  return events;
}

test('readEvents reads events and comments, however they are cut and ended', async () => {
  const text = 'retry: 2000\n\nid: 1\nevent: message\ndata: {"a":"ü: b"}\n\n: heartbeat\n\n';
  const expected = [
    { retry: '2000' },
    { id: '1', event: 'message', data: '{"a":"ü: b"}' },
    { '': 'heartbeat' },
  ];
  assert.deepEqual(await read(text), expected);
  assert.deepEqual(await read(text.replaceAll('\n', '\r\n')), expected);
  assert.deepEqual(await read(text.replaceAll('\n', '\r')), expected);
  const octets = new TextEncoder().encode(text.replaceAll('\n', '\r\n'));
  assert.deepEqual(await read(...Array.from(octets, (octet) => Uint8Array.of(octet))), expected);
});

test('readEvents joins lines of data, and gives nothing of an event that has not ended', async () => {
  assert.deepEqual(await read('data: a\ndata:b\ndata\n\ndata: cut'), [{ data: 'a\nb\n' }]);
  await assert.rejects(read('data: ', 'x'.repeat(1_000_001)), RangeError);
});
