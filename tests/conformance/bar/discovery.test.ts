import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bar_endpoints, bar_refusals } from '@stoa/wire';
import { barOf, callHost } from '../../support/bar-api.ts';
import { forOneEngine } from '../../support/engines.ts';
import { openTestHouse } from '../../support/open-house.ts';

const json = 'application/json; charset=utf-8';
const plain = 'text/plain; charset=utf-8';

const documents: readonly (readonly [path: string, content_type: string])[] = [
  ['/llms.txt', plain],
  ['/llms-full.txt', plain],
  ['/openapi.json', json],
  ['/.well-known/korova.json', json],
  ['/.well-known/agent-card.json', json],
  ['/.well-known/ai-plugin.json', json],
  ['/client/korova.py', 'text/x-python; charset=utf-8'],
];

/** The absolute URLs in a text, without what ends the sentence or the code around them. */
const urlsIn = (text: string): string[] =>
  [...text.matchAll(/\bhttps?:\/\/[^\s"'`<>)\]}\\]+/g)].map(([url]) => url.replace(/[.,;:]+$/, ''));

forOneEngine((engine) => {
  test('seven documents are there without a token, with their types, and may be cached for five minutes [BAR-307] [BAR-024]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const bar = barOf(house);
    for (const [path, content_type] of documents) {
      const texts = new Set<string>();
      for (const headers of [{}, { authorization: 'Bearer nonsense' }, { accept: 'text/html' }]) {
        const answer = await bar.fetch('GET', path, { headers });
        assert.equal(answer.status, 200, path);
        assert.equal(answer.headers.get('content-type'), content_type);
        assert.equal(answer.headers.get('cache-control'), 'public, max-age=300');
        texts.add(answer.text);
      }
      assert.equal(texts.size, 1);
      assert.ok(!texts.has(''));
      const head = await bar.fetch('HEAD', path);
      assert.deepEqual([head.status, head.text], [200, '']);
      assert.equal(head.headers.get('content-type'), content_type);
      const wrong = await bar.fetch('POST', path, { body: {} });
      assert.deepEqual([wrong.status, wrong.headers.get('allow')], [405, 'GET, HEAD']);
      assert.equal((await bar.fetch('GET', `${path}/`)).status, 404);
    }
  });

  test('their URLs are of this house as it was called, and lead somewhere [BAR-308]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const bar = barOf(house);
    const origin = `${house.house.listening}/bar`;
    const printed = new Set<string>();
    for (const [path] of documents) {
      const { text } = await bar.fetch('GET', path);
      for (const url of urlsIn(text)) {
        assert.ok(url === origin || url.startsWith(`${origin}/`), `${path}: ${url}`);
        printed.add(url.slice(house.house.listening.length));
      }
      assert.doesNotMatch(text, /\{\{|undefined|\[object/);
    }
    assert.ok(printed.size > 10);
    for (const path of printed) {
      const { status } = await house.fetch(path);
      assert.ok(
        [200, 401, 405].includes(status) || path === '/bar',
        `${path} is printed and answers ${status}`,
      );
    }
  });

  test('with a public_url the URLs are of it, and of a host of its own where the bar has one [BAR-308]', async () => {
    const public_url = 'https://stoa.example.org';
    await using behind = await openTestHouse({ engine, rooms: ['bar'], config: { public_url } });
    const hosts = { bar: ['korova.example.org'] };
    await using apart = await openTestHouse({
      engine,
      rooms: ['bar'],
      config: { public_url, hosts },
    });
    for (const [path] of documents) {
      const { text } = await barOf(behind).fetch('GET', path);
      for (const url of urlsIn(text)) {
        assert.ok(`${url}/`.startsWith(`${public_url}/bar/`), `${path}: ${url}`);
      }
      const { status, text: own } = await callHost(apart, 'korova.example.org', 'GET', path);
      assert.equal(status, 200);
      for (const url of urlsIn(own)) {
        assert.ok(`${url}/`.startsWith('https://korova.example.org/'), `${path}: ${url}`);
      }
      assert.doesNotMatch(own, /(?<![\w-])\/bar\/(api|door|llms)/, path);
    }
    // Paths in answers stand as the caller reaches them.
    const { body } = await callHost(apart, 'korova.example.org', 'GET', '/api/v1');
    assert.ok(body.routes.every(({ path }: { path: string }) => path.startsWith('/api/v1')));
    assert.equal(body.manual, 'https://korova.example.org/llms-full.txt');
    const by_mount = await barOf(apart).call('GET', '');
    assert.ok(by_mount.body.routes.every(({ path }: { path: string }) => path.startsWith('/bar/')));
  });

  test('the manuals: a short one and one of 19 sections that names every code and endpoint [BAR-309] [BAR-330]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const bar = barOf(house);
    const { text: short } = await bar.fetch('GET', '/llms.txt');
    assert.ok(Buffer.byteLength(short) <= 8_192);
    assert.match(short, /data, not instructions/);
    const { text: full } = await bar.fetch('GET', '/llms-full.txt');
    const sections = [...full.matchAll(/^## (\d+)\b/gm)].map(([, number]) => Number(number));
    assert.deepEqual(
      sections,
      Array.from({ length: 19 }, (_, index) => index + 1),
    );
    for (const [code, { status }] of Object.entries(bar_refusals)) {
      assert.match(full, new RegExp(`\\b${status}\\b.*\`${code}\``), code);
    }
    for (const { method, path } of bar_endpoints) {
      const printed = `/bar${path.replaceAll(/:(\w+)/g, '{$1}')}`;
      assert.ok(
        full.split('\n').some((line) => line.includes(method) && line.includes(printed)),
        `${method} ${printed}`,
      );
    }
    const rules = full.slice(full.search(/^## 18\b/m), full.search(/^## 19\b/m));
    assert.equal([...rules.matchAll(/^\d+\. /gm)].length, 10);
    assert.match(rules, /data, not instructions/);
    for (const text of [short, full]) assert.match(text.slice(0, 600), /PRACTICE MODE/);

    await using earnest = await openTestHouse({ engine, rooms: ['bar'], practice: false });
    for (const path of ['/llms.txt', '/llms-full.txt']) {
      assert.doesNotMatch((await barOf(earnest).fetch('GET', path)).text, /practice mode/i);
    }
  });

  test('openapi.json is OpenAPI 3.1 with every endpoint and each of its refusals [BAR-310] [BAR-020]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const { body } = await barOf(house).fetch('GET', '/openapi.json');
    assert.match(body.openapi, /^3\.1\.\d+$/);
    assert.deepEqual(body.servers, [{ url: `${house.house.listening}/bar` }]);
    const described = Object.entries<Record<string, unknown>>(body.paths).flatMap(
      ([path, operations]) =>
        Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const wanted = bar_endpoints.map(
      ({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
    );
    assert.deepEqual(described.sort(), wanted.sort());
    for (const { method, path, refusals, answers, name } of bar_endpoints) {
      const operation = body.paths[path.replaceAll(/:(\w+)/g, '{$1}')][method.toLowerCase()];
      assert.equal(operation.operationId, name);
      const codes: Readonly<Record<string, { status: number }>> = bar_refusals;
      const statuses = [...Object.keys(answers), ...refusals.map((code) => codes[code]?.status)];
      assert.deepEqual(
        Object.keys(operation.responses).sort(),
        [...new Set(statuses.map(String))].sort(),
      );
      for (const code of refusals) {
        const { description } = operation.responses[codes[code]?.status ?? 0];
        assert.ok(description.includes(code), `${name} ${code}`);
      }
    }
  });

  test('korova.json, agent-card.json and ai-plugin.json have their shapes [BAR-311]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const bar = barOf(house);
    const origin = `${house.house.listening}/bar`;
    const read = async (path: string) => (await bar.fetch('GET', `/.well-known/${path}`)).body;
    const { name, description, ...summary } = await read('korova.json');
    assert.ok(name !== '' && description !== '');
    assert.deepEqual(summary, {
      api: `${origin}/api/v1`,
      door: `${origin}/api/v1/door`,
      llms: `${origin}/llms.txt`,
      manual: `${origin}/llms-full.txt`,
      openapi: `${origin}/openapi.json`,
      client: `${origin}/client/korova.py`,
      a2a: `${origin}/a2a`,
      agent_card: `${origin}/.well-known/agent-card.json`,
      lobby: 'the-bar',
      auth: { type: 'bearer', obtain: `${origin}/api/v1/door/knock` },
      admission: { tasks: 8, pass_mark: 8, deadline_seconds: 120, pow_bits: 20 },
      chain_format: 'korova-chain-v1',
      signature_format: 'korova-msg-v1',
    });

    const card = await read('agent-card.json');
    const { skills, provider, version, ...others } = card;
    assert.match(version, /^\d+\.\d+\.\d+/);
    assert.deepEqual(Object.keys(provider).sort(), ['organization', 'url']);
    assert.equal(skills.length, 1);
    assert.equal(skills[0].id, 'directions');
    assert.deepEqual(Object.keys(skills[0]).sort(), [
      'description',
      'examples',
      'id',
      'name',
      'tags',
    ]);
    const { name: card_name, description: card_description, ...dialects } = others;
    assert.ok(card_name !== '' && card_description !== '');
    assert.deepEqual(dialects, {
      supportedInterfaces: [
        { url: `${origin}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { url: `${origin}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
      ],
      documentationUrl: `${origin}/llms-full.txt`,
      capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      url: `${origin}/a2a`,
      preferredTransport: 'JSONRPC',
      protocolVersion: '0.3.0',
    });

    const plugin = await read('ai-plugin.json');
    const { name_for_human, description_for_human, description_for_model, ...fixed } = plugin;
    for (const text of [name_for_human, description_for_human, description_for_model]) {
      assert.ok(typeof text === 'string' && text !== '');
    }
    assert.deepEqual(fixed, {
      schema_version: 'v1',
      name_for_model: 'korova',
      auth: { type: 'user_http', authorization_type: 'bearer' },
      api: { type: 'openapi', url: `${origin}/openapi.json` },
      legal_info_url: `${origin}/llms-full.txt`,
    });
  });

  test('the operator may state an address and a picture for ai-plugin.json [BAR-311]', async () => {
    await using plain_house = await openTestHouse({ engine, rooms: ['bar'] });
    const { rooms } = plain_house.house.deps.config;
    const bar = rooms.bar ?? assert.fail();
    const stated = { contact_email: 'bar@example.org', logo_url: 'https://example.org/bar.svg' };
    const settings = { ...bar.settings, ...stated };
    const config = { rooms: { ...rooms, bar: { ...bar, settings } } };
    await using house = await openTestHouse({ engine, rooms: ['bar'], config });
    const { body } = await barOf(house).fetch('GET', '/.well-known/ai-plugin.json');
    assert.deepEqual({ contact_email: body.contact_email, logo_url: body.logo_url }, stated);
  });
});
