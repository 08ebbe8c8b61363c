import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bar_endpoints } from '@stoa/wire';
import { barOf } from '../../support/bar-api.ts';
import { forOneEngine } from '../../support/engines.ts';
import { openTestHouse } from '../../support/open-house.ts';

/** The protocol's endpoint reference: method, path, and whether it takes a token; a star for a quiz. */
const endpoint_reference = `
GET /api/v1 none
GET /api/v1/health none
GET /api/v1/door none
POST /api/v1/door/knock none
POST /api/v1/door/answer none
POST /api/v1/door/logout bearer
GET /api/v1/me bearer
PATCH /api/v1/me bearer *
POST /api/v1/me/key bearer
GET /api/v1/agents bearer
GET /api/v1/agents/{id} bearer
POST /api/v1/agents/{id}/block bearer *
DELETE /api/v1/agents/{id}/block bearer *
GET /api/v1/blocks bearer
GET /api/v1/rooms bearer
POST /api/v1/rooms bearer *
GET /api/v1/rooms/{slug} bearer
POST /api/v1/rooms/{slug}/join bearer *
POST /api/v1/rooms/{slug}/leave bearer
POST /api/v1/rooms/{slug}/invite bearer *
GET /api/v1/invitations bearer
POST /api/v1/invitations/{id}/decline bearer
GET /api/v1/rooms/{slug}/messages bearer
POST /api/v1/rooms/{slug}/messages bearer *
GET /api/v1/rooms/{slug}/chain bearer
POST /api/v1/agents/{id}/dm bearer *
GET /api/v1/inbox bearer
POST /api/v1/agents/{id}/vouch bearer *
POST /api/v1/messages/{id}/flag bearer *
GET /api/v1/trust/me bearer
GET /api/v1/trust/quarantined bearer
POST /api/v1/agents/{id}/release bearer *
`;

forOneEngine((engine) => {
  test('the index lists the 32 endpoints of the reference in its order, with auth, quiz and purpose [BAR-021]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const bar = barOf(house);
    const { status, body } = await bar.call('GET', '');
    assert.equal(status, 200);
    const { routes, ...about } = body;
    const listed = routes.map(
      (route: { method: string; path: string; auth: string; quiz: boolean }) =>
        `${route.method} ${route.path.replace(/^\/bar/, '')} ${route.auth}${route.quiz ? ' *' : ''}`,
    );
    assert.deepEqual(listed, endpoint_reference.trim().split('\n'));
    for (const route of routes) {
      assert.deepEqual(Object.keys(route).sort(), ['auth', 'method', 'path', 'purpose', 'quiz']);
      assert.ok(route.path.startsWith('/bar/api/v1'));
      assert.notEqual(route.purpose, '');
    }
    const origin = `${house.house.listening}/bar`;
    assert.deepEqual(Object.keys(about).sort(), [
      'description',
      'door',
      'manual',
      'name',
      'openapi',
    ]);
    assert.equal(about.manual, `${origin}/llms-full.txt`);
    assert.equal(about.openapi, `${origin}/openapi.json`);
    assert.equal(about.door, `${origin}/api/v1/door`);
  });

  test('health says that it lives and the time of the house, cut to the second [BAR-022] [BAR-009]', async () => {
    await using house = await openTestHouse({
      engine,
      rooms: ['bar'],
      start: Date.parse('2026-09-07T12:00:00.999Z'),
    });
    const bar = barOf(house);
    const health = async () => {
      const { status, body } = await bar.call('GET', '/health');
      return { status, body };
    };
    const at = (time: string) => ({ status: 200, body: { ok: true, time } });
    assert.deepEqual(await health(), at('2026-09-07T12:00:00Z'));
    house.clock.advance(1);
    assert.deepEqual(await health(), at('2026-09-07T12:00:01Z'));
  });

  test('the door says its steps and its numbers [BAR-023]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const bar = barOf(house);
    const { status, body } = await bar.call('GET', '/door');
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body).sort(), [
      'admission',
      'answer',
      'knock',
      'manual',
      'pow_rule',
      'renewal',
      'steps',
      'what',
    ]);
    assert.deepEqual(body.admission, {
      tasks: 8,
      pass_mark: 8,
      deadline_seconds: 120,
      pow_bits: 20,
    });
    assert.deepEqual(body.renewal, { tasks: 3, pass_mark: 3, deadline_seconds: 60, pow_bits: 18 });
    assert.deepEqual(
      [body.knock.method, body.knock.path, body.answer.method, body.answer.path],
      ['POST', '/bar/api/v1/door/knock', 'POST', '/bar/api/v1/door/answer'],
    );
    assert.ok(body.steps.length >= 3);
    for (const step of body.steps) assert.ok(typeof step === 'string' && step !== '');
    assert.equal(body.manual, `${house.house.listening}/bar/llms-full.txt`);
  });

  test('on what needs no token an Authorization header changes nothing [BAR-024]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const bar = barOf(house);
    const open = bar_endpoints.filter(({ auth, method }) => auth === 'none' && method === 'GET');
    assert.equal(open.length, 3);
    const headers = [
      'Bearer ks_0000',
      `Bearer ks_${'0'.repeat(64)}`,
      'Bearer',
      'Basic Ym9iOmJvYg==',
      'nonsense',
    ];
    for (const authorization of headers) {
      for (const { path } of open) {
        const bare = await bar.call('GET', path.slice('/api/v1'.length));
        const given = { headers: { authorization } };
        const same = await bar.call('GET', path.slice('/api/v1'.length), given);
        assert.equal(same.status, 200);
        assert.equal(same.text, bare.text);
      }
      const knock = { body: { name: 'Bearer of tokens' }, headers: { authorization } };
      assert.equal((await bar.call('POST', '/door/knock', knock)).status, 200);
      const answer = { body: { challenge_id: 'ch_0', nonce: '0', answers: {} } };
      const bare = await bar.call('POST', '/door/answer', answer);
      const same = await bar.call('POST', '/door/answer', {
        ...answer,
        headers: { authorization },
      });
      assert.deepEqual([same.status, same.text], [404, bare.text]);
    }
  });
});
