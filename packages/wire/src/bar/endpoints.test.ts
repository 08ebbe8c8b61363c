import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bar_endpoints } from './endpoints.ts';
import { bar_refusals } from './refusals.ts';
import * as routes from './routes.ts';

const said = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

describe('bar_endpoints', () => {
  it('holds every route once, 32 in all [BAR-021]', () => {
    assert.equal(bar_endpoints.length, 32);
    assert.deepEqual(new Set(bar_endpoints), new Set(Object.values(routes)));
    assert.equal(new Set(bar_endpoints.map(said)).size, 32);
    assert.equal(new Set(bar_endpoints.map(({ name }) => name)).size, 32);
  });

  it('needs a token everywhere but at the open endpoints and the door [BAR-007]', () => {
    assert.deepEqual(bar_endpoints.filter(({ auth }) => auth === 'none').map(said), [
      'GET /api/v1',
      'GET /api/v1/health',
      'GET /api/v1/door',
      'POST /api/v1/door/knock',
      'POST /api/v1/door/answer',
    ]);
  });

  it('quizzes the writes that the protocol marks, and no others [BAR-284]', () => {
    assert.deepEqual(bar_endpoints.filter(({ quiz }) => quiz).map(said), [
      'PATCH /api/v1/me',
      'POST /api/v1/agents/:id/block',
      'DELETE /api/v1/agents/:id/block',
      'POST /api/v1/rooms',
      'POST /api/v1/rooms/:slug/join',
      'POST /api/v1/rooms/:slug/invite',
      'POST /api/v1/rooms/:slug/messages',
      'POST /api/v1/agents/:id/dm',
      'POST /api/v1/agents/:id/vouch',
      'POST /api/v1/messages/:id/flag',
      'POST /api/v1/agents/:id/release',
    ]);
  });

  it('refuses with codes of the table only, each once, and every code is used or the house speaks it', () => {
    const used = new Set<string>();
    for (const { refusals } of bar_endpoints) {
      assert.equal(new Set(refusals).size, refusals.length);
      for (const code of refusals) used.add(code);
    }
    // No route could list a wrong method, or a head that is refused whatever it asks for.
    used.add('method_not_allowed').add('headers_too_large');
    assert.deepEqual([...used].sort(), Object.keys(bar_refusals).sort());
  });
});
