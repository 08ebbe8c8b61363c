import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import {
  type Agent,
  assertNo,
  type NetworkApi,
  networkOf,
  openNetworkHouse,
} from '../../support/network-api.ts';
import { callAs } from '../../support/network-hosts.ts';
import type { TestHouse } from '../../support/open-house.ts';

const body_bytes_max = 16_384;

let house: TestHouse;
let net: NetworkApi;
let agent: Agent;
before(async () => {
  const config = { hosts: { network: ['net.example.org'] } };
  house = await openNetworkHouse({ engine: 'sqlite', config });
  net = networkOf(house);
  agent = await net.signUp('Caller');
});
after(() => house.close());

/** Routes whose 401 is about what their body says. */
const sign_ins = new Set(['/v1/sign-in', '/v1/sigil/sessions']);

type Operation = { parameters?: { in: string }[]; requestBody?: unknown; responses: object };

/** Every route of openapi.json, with something in place of its parameters. */
async function everyRoute() {
  const { body } = await net.call('GET', '/openapi.json');
  const paths = Object.entries(body.paths as Record<string, Record<string, Operation>>);
  return paths.flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { requestBody, responses }]) => ({
      method: method.toUpperCase(),
      path: path.replaceAll(/\{\w+\}/g, 'caller'),
      takes_body: requestBody !== undefined,
      needs_caller: '401' in responses && !sign_ins.has(path),
    })),
  );
}

test('every route that needs a caller answers equal 401s to none, to wrong ones and to unknown sessions [NET-001] [NET-002]', async () => {
  const routes = (await everyRoute()).filter(({ needs_caller }) => needs_caller);
  assert.ok(routes.some(({ path }) => path === '/v1/net/me'));
  const credentials = [
    {},
    { passcode: 'nip_wrong' },
    { passcode: '' },
    { sigil: 'sgs_wrong' },
    { headers: { authorization: 'Sigil' } },
    { headers: { authorization: `Bearer ${agent.passcode}` } },
    { headers: { authorization: `Sigil ${agent.passcode}` } },
    { passcode: agent.passcode, sigil: 'sgs_wrong' },
  ];
  const texts = new Set<string>();
  for (const { method, path, takes_body } of routes) {
    for (const credential of credentials) {
      const body = takes_body ? { body: {} } : {};
      const refused = await net.call(method, path, { ...body, ...credential });
      assertNo(refused, [401, 'unauthorized']);
      texts.add(refused.text);
    }
  }
  assert.equal(texts.size, 1);
});

test('the passcode alone names the account, whatever other schemes a proxy needs [NET-047]', async () => {
  const { passcode, account } = agent;
  const me = await net.call('GET', '/v1/net/me', { passcode });
  assert.deepEqual([me.body.account, me.body.auth], [account, 'passcode']);
  const headers = { authorization: 'Basic cHJveHk6c2VjcmV0' };
  assert.equal((await net.call('GET', '/v1/net/me', { passcode, headers })).status, 200);
});

test('the room answers under its mount, and at the root of its own host with its own paths [NET-001]', async () => {
  const on_host = await callAs(house, 'net.example.org', 'GET', '/v1/net/me', {
    'x-inbox-passcode': agent.passcode,
  });
  assert.equal(on_host.status, 200);
  assert.equal((on_host.body as { handle: string }).handle, 'caller');
  const home = await callAs(house, 'net.example.org', 'GET', '/', {});
  assert.match(home.text, /<a href="\/join">Agent sign up<\/a>/);
  assert.match(home.text, /<a href="\/\?next=\/">Agent sign in<\/a>/);
  const refused = await callAs(house, 'net.example.org', 'GET', '/v1/net/me', {});
  assert.match(
    refused.text,
    /POST \/v1\/registrations/,
    'hints stand under the base that was used',
  );
  const mounted = await net.call('GET', '/v1/net/me');
  assert.match(mounted.text, /POST \/net\/v1\/registrations/);
});

test('GET /v1/net/me says who the caller is [NET-054]', async () => {
  const { passcode, handle, account, address } = agent;
  const { status, body } = await net.call('GET', '/v1/net/me', { passcode });
  assert.equal(status, 200);
  assert.deepEqual(body, {
    account,
    kind: 'agent',
    handle,
    address,
    display_name: 'Caller',
    auth: 'passcode',
    card: {
      url: `http://net.example.org:${new URL(house.house.listening).port}/caller/.profile`,
      status: 'valid',
      reason: null,
    },
    settings: { read_receipts: false, require_signed: false },
    profile: null,
    payments: 'off',
    pending_requests: 0,
    csrf: null,
    server_time: '2026-09-07T12:00:00.000Z',
  });
});

test('settings are off at first, and set one by one or together [NET-206]', async () => {
  const { passcode } = await net.signUp('Settler');
  const read = async () => (await net.call('GET', '/v1/net/settings', { passcode })).body;
  const set = (body: unknown) => net.call('POST', '/v1/net/settings', { body, passcode });
  assert.deepEqual(await read(), { read_receipts: false, require_signed: false });
  const one = await set({ read_receipts: true, other: 1 });
  assert.equal(one.status, 200);
  assert.deepEqual(one.body, { read_receipts: true, require_signed: false });
  assert.deepEqual(await read(), one.body);
  const both = { read_receipts: false, require_signed: true };
  assert.deepEqual((await set(both)).body, both);
  assert.deepEqual((await set({})).body, both);
  for (const field of ['read_receipts', 'require_signed']) {
    for (const value of [null, 1, 'true', []]) {
      assertNo(await set({ [field]: value }), [400, `invalid_${field}`]);
    }
  }
  assertNo(await set({ read_receipts: true, require_signed: 0 }), [400, 'invalid_require_signed']);
  assert.deepEqual(await read(), both, 'a refused change changes nothing');
  const me = await net.call('GET', '/v1/net/me', { passcode });
  assert.deepEqual(me.body.settings, both);
});

test('a body of 16384 bytes is read and one of 16385 refused on every JSON route [NET-004]', async () => {
  const routes = (await everyRoute()).filter(({ takes_body }) => takes_body);
  assert.ok(routes.length > 5);
  const { passcode } = agent;
  for (const { method, path } of routes) {
    const padded = (bytes: number) => JSON.stringify({ x: 'x'.repeat(bytes - 8) });
    const fits = await net.call(method, path, { body: padded(body_bytes_max), passcode });
    assert.notEqual(fits.status, 413, path);
    const refused = await net.call(method, path, { body: padded(body_bytes_max + 1), passcode });
    assertNo(refused, [413, 'body_too_large']);
  }
});

test('a body that is no JSON object in UTF-8 is refused before the caller and its fields [NET-005]', async () => {
  const routes = (await everyRoute()).filter(({ takes_body }) => takes_body);
  const bodies = [
    Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    '{"name": "x"',
    '[]',
    'null',
    '"text"',
    '\ufeff{}',
  ];
  for (const { method, path } of routes) {
    for (const body of bodies) {
      assertNo(await net.call(method, path, { body }), [400, 'invalid_json']);
    }
    const headers = { 'content-type': 'text/plain' };
    assertNo(await net.call(method, path, { body: '{}', headers }), [
      415,
      'unsupported_media_type',
    ]);
  }
});

test('a path that is not there and a method that is not taken are refused in the same form [NET-003]', async () => {
  assertNo(await net.call('GET', '/v1/net/nothing'), [404, 'not_found']);
  const refused = await net.call('PUT', '/v1/net/settings', { body: {} });
  assertNo(refused, [405, 'method_not_allowed']);
  assert.equal(refused.headers.get('allow'), 'GET, HEAD, POST');
});

test('openapi.yaml says what openapi.json says, with bodies and refusals of every route [NET-008]', async () => {
  const yaml = await net.call('GET', '/openapi.yaml');
  assert.equal(yaml.status, 200);
  assert.match(yaml.headers.get('content-type') ?? '', /^application\/yaml/);
  const { body } = await net.call('GET', '/openapi.json');
  const lines = new Set(yaml.text.split('\n'));
  for (const [path, operations] of Object.entries(body.paths as Record<string, object>)) {
    assert.ok(lines.has(`  ${path}:`), path);
    for (const { operationId, responses } of Object.values(operations)) {
      assert.ok(lines.has(`      operationId: ${operationId}`), path);
      assert.ok(
        Object.keys(responses).some((status) => status.startsWith('2')),
        path,
      );
      assert.ok('500' in responses, path);
    }
  }
  assert.ok(lines.has(`  - url: "${body.servers[0].url}"`));
  for (const { path } of await everyRoute()) assert.match(path, /^\/(v1|inbox)\//);
});

test('llms.txt and agent-network.json tell programs the way and the rule of signing [NET-008]', async () => {
  const manual = await net.call('GET', '/llms.txt');
  assert.match(manual.headers.get('content-type') ?? '', /^text\/plain/);
  const { body: described } = await net.call('GET', '/.well-known/agent-network.json');
  assert.equal(described.domain, 'net.example.org');
  assert.equal(described.signing.prefix, 'ni-msg-v1\n');
  assert.deepEqual(Object.keys(described.signing.fields), [
    'v',
    'from',
    'to',
    'thread',
    'text',
    'ts',
    'nonce',
  ]);
  const base = `http://net.example.org:${new URL(house.house.listening).port}`;
  assert.equal(described.base, base);
  const routes = new Set((await everyRoute()).map(({ path }) => path));
  for (const named of ['/v1/registrations', '/v1/net/me', '/v1/net/directory']) {
    assert.ok(manual.text.includes(named) && routes.has(named), named);
  }
});

test('the threat model has a checklist for the launch, and names settings that exist [NET-009]', async () => {
  const text = await readFile(new URL('../../../docs/threat-model.md', import.meta.url), 'utf8');
  const checklist = text.slice(text.indexOf('## Launch checklist'));
  assert.ok((checklist.match(/^- \[ \] /gm) ?? []).length >= 10);
  const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8');
  for (const setting of ['public_url', 'trust_proxy']) {
    assert.ok(checklist.includes(`\`${setting}\``) && readme.includes(`\`${setting}\``), setting);
  }
});
