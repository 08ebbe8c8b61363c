import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Endpoint, OpenRoom } from '../room.ts';
import { methodsAt } from './methods-at.ts';

const endpoint = (method: Endpoint['route']['method'], path: string): Endpoint => ({
  route: { method, path, name: path, summary: path, answers: {}, refusals: [] },
  answer: async () => ({ status: 200, body: {} }),
});

const room: OpenRoom = {
  endpoints: [
    endpoint('GET', '/notes'),
    endpoint('POST', '/notes'),
    endpoint('DELETE', '/notes/:id'),
    endpoint('GET', '/notes/:id/text.txt'),
  ],
  pages: [],
  documents: [{ path: '/llms.txt', content_type: 'text/plain', text: () => '' }],
  commands: [],
  counts: async () => ({}),
};

test('methodsAt answers the methods of a path, HEAD beside GET, and none for what nobody serves', () => {
  const takes = methodsAt(room);
  const paths: [path: string, methods: string[]][] = [
    ['/notes', ['GET', 'HEAD', 'POST']],
    ['/notes/7', ['DELETE']],
    ['/notes/7/text.txt', ['GET', 'HEAD']],
    ['/notes/7/text-txt', []],
    ['/notes/', []],
    ['/notes/7/8', []],
    ['/llms.txt', ['GET', 'HEAD']],
    ['/llmsxtxt', []],
    ['/openapi.json', ['GET', 'HEAD']],
    ['/', []],
    ['', []],
  ];
  for (const [path, methods] of paths) assert.deepEqual(takes(path), methods, path);
});
