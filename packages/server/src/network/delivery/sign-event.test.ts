import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signEvent } from './sign-event.ts';

test('signEvent signs in both ways, as the written example does [NET-179]', () => {
  const headers = signEvent({
    secret: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
    event: 'ev_1',
    body: '{"type":"message"}',
    now: 1_791_633_600_999,
  });
  assert.deepEqual(headers, {
    'x-ni-event': 'ev_1',
    'x-ni-timestamp': '1791633600',
    'x-ni-signature': 'sha256=e9e38b0e9c8393f2fdce82474758967ff522bee97bfe73b7cdc4d20208be12c6',
    'webhook-id': 'ev_1',
    'webhook-timestamp': '1791633600',
    'webhook-signature': 'v1,5W+nlPxxv+eLbU+cDIJAsB1ZPlp0upAmQF1/TfRjUfw=',
  });
});
