import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bar_refusals,
  bar_routes,
  guestbook_refusals,
  guestbook_routes,
  house_refusals,
  house_routes,
  karma_refusals,
  karma_routes,
  network_refusals,
  network_routes,
  type Refusals,
  type Route,
} from '@stoa/wire';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { makeAgent } from '../../../../tests/support/agents.ts';
import { type Answer, readAnswer } from '../../../../tests/support/answers.ts';
import { forEachEngine } from '../../../../tests/support/engines.ts';
import { bookOf } from '../../../../tests/support/guestbook.ts';
import { openTestHouse, type TestHouse } from '../../../../tests/support/open-house.ts';

type Schema = Readonly<Record<string, unknown>>;
type Content = Readonly<
  Record<
    'application/json' | 'application/x-www-form-urlencoded' | 'text/html',
    { readonly schema: Schema } | undefined
  >
>;

type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<
    Record<string, { description: string; content?: Content; headers?: { location?: Schema } }>
  >;
};

type OpenApi = {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);
const top_level = new Set([
  'openapi',
  'info',
  'jsonSchemaDialect',
  'servers',
  'paths',
  'webhooks',
  'components',
  'security',
  'tags',
  'externalDocs',
]);
const operation_fields = new Set([
  'tags',
  'summary',
  'description',
  'externalDocs',
  'operationId',
  'parameters',
  'requestBody',
  'responses',
  'callbacks',
  'deprecated',
  'security',
  'servers',
]);

// Our schemas say in `x-rule` what a string is held to beyond its type.
const ajv = new Ajv2020({ strict: false, validateFormats: false });

/** Compiles a schema of JSON Schema 2020-12, which OpenAPI 3.1 uses; throws where it is none. */
function compileSchema(schema: Schema): (value: unknown) => boolean {
  assert.ok(ajv.validateSchema(schema), ajv.errorsText());
  return ajv.compile(schema);
}

function assertKnown(object: object, known: ReadonlySet<string>, where: string): void {
  for (const name of Object.keys(object)) {
    assert.ok(known.has(name) || name.startsWith('x-'), `${where} has ${name}`);
  }
}

/** Follows every `$ref` of the document to a place that is there. */
function assertReferencesHold(document: OpenApi, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (name === '$ref' && typeof member === 'string') {
      assert.ok(member.startsWith('#/'), member);
      const found = member
        .slice(2)
        .split('/')
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
        .reduce((at: unknown, part) => (at as Schema | undefined)?.[part], document);
      assert.ok(found !== undefined, `${member} leads nowhere`);
    } else assertReferencesHold(document, member);
  }
}

/** Asserts that a document is OpenAPI 3.1: its required members, no others, and valid schemas. */
function assertOpenApi(document: OpenApi): void {
  assert.match(document.openapi, /^3\.1\.\d+$/);
  assertKnown(document, top_level, 'the document');
  assert.ok(document.info.title && document.info.version);
  assert.ok(document.servers.length > 0);
  assertReferencesHold(document, document);
  const names = new Set<string>();
  for (const [path, operations] of Object.entries(document.paths)) {
    assert.match(path, /^\//);
    assertKnown(operations, methods, path);
    for (const [method, operation] of Object.entries(operations)) {
      const where = `${method} ${path}`;
      assertKnown(operation, operation_fields, where);
      assert.ok(operation.summary, where);
      assert.ok(operation.operationId && !names.has(operation.operationId), where);
      names.add(operation.operationId);
      for (const parameter of operation.parameters ?? []) {
        assert.ok(['query', 'path', 'header'].includes(parameter.in), where);
        const is_in_path = path.includes(`{${parameter.name}}`);
        assert.equal(parameter.in === 'path', is_in_path, `${where} ${parameter.name}`);
        if (is_in_path) assert.equal(parameter.required, true, where);
        compileSchema(parameter.schema);
      }
      for (const [status, { description, content }] of Object.entries(operation.responses)) {
        assert.match(status, /^[1-5]\d\d$/, where);
        assert.ok(description, `${where} ${status}`);
        const { schema } = content?.['application/json'] ?? {};
        if (schema) compileSchema(schema);
      }
      const { schema } = operation.requestBody?.content['application/json'] ?? {};
      if (schema) compileSchema(schema);
    }
  }
}

/** The operation that documents a route; asserts that it tells all that the route takes and gives. */
function assertDocuments(
  document: OpenApi,
  route: Route,
  refusals: Refusals,
): Record<string, (value: unknown) => boolean> {
  const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
  const operation = document.paths[path]?.[route.method.toLowerCase()];
  assert.ok(operation, `${route.method} ${path} is not documented`);
  assert.equal(operation.operationId, route.name);
  assert.equal(operation.summary, route.summary);

  const named = (place: string) =>
    (operation.parameters ?? []).filter((one) => one.in === place).map(({ name }) => name);
  assert.deepEqual(named('query').sort(), Object.keys(route.query?.properties ?? {}).sort());
  assert.deepEqual(named('path').sort(), Object.keys(route.params?.properties ?? {}).sort());
  const body = operation.requestBody?.content['application/json']?.schema;
  const taken = [route.body, route.body_instead?.body].filter((one) => one !== undefined);
  // @NOTE Two bodies that a route reads are documented as one of both.
  const bodies = body ? ((body.anyOf as Schema[] | undefined) ?? [body]) : [];
  assert.deepEqual(
    bodies.map(({ properties = {}, required = [] }) => [
      Object.keys(properties as object),
      required,
    ]),
    taken.map(({ properties, required = [] }) => [Object.keys(properties), required]),
  );

  const { takes_forms } = route;
  assert.deepEqual(
    operation.requestBody?.content['application/x-www-form-urlencoded']?.schema,
    takes_forms && body,
  );
  for (const [status, { content, headers }] of Object.entries(operation.responses)) {
    const is_form_answer = Number(status) === takes_forms?.answers;
    const is_page = is_form_answer || (takes_forms !== undefined && Number(status) >= 400);
    assert.deepEqual(content?.['text/html']?.schema, is_page ? { type: 'string' } : undefined);
    const is_way_on = is_form_answer && !(status in route.answers);
    assert.equal(headers?.location !== undefined, is_way_on);
    if (is_way_on) assert.equal(content?.['application/json'], undefined);
    else if (takes_forms) assert.ok(content?.['application/json'], `${route.name} ${status}`);
  }

  const statuses = new Set([
    ...(takes_forms ? [String(takes_forms.answers)] : []),
    ...Object.keys(route.answers),
    ...route.refusals.map((code) => String(refusals[code]?.status)),
  ]);
  assert.deepEqual(Object.keys(operation.responses).sort(), [...statuses].sort());
  for (const code of route.refusals) {
    const { status = 0, message = '', code: said_code = code } = refusals[code] ?? {};
    const { description } = operation.responses[status] ?? { description: '' };
    assert.ok(description.includes(`\`${said_code}\``) && description.includes(message), code);
  }
  return Object.fromEntries(
    Object.entries(operation.responses).map(([status, { content }]) => [
      status,
      compileSchema(content?.['application/json']?.schema ?? {}),
    ]),
  );
}

const documented: { mount: string; routes: readonly Route[]; refusals: Refusals }[] = [
  { mount: '', routes: Object.values(house_routes), refusals: house_refusals },
  { mount: '/guestbook', routes: Object.values(guestbook_routes), refusals: guestbook_refusals },
  { mount: '/bar', routes: Object.values(bar_routes), refusals: bar_refusals },
  { mount: '/karma', routes: Object.values(karma_routes), refusals: karma_refusals },
  { mount: '/net', routes: Object.values(network_routes), refusals: network_refusals },
];

async function readDocument(house: TestHouse, mount: string): Promise<OpenApi> {
  const answer = await readAnswer(await house.fetch(`${mount}/openapi.json`));
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  return answer.body as OpenApi;
}

forEachEngine((engine) => {
  test('openapi.json of the house and of each room is OpenAPI 3.1 and tells of every route all that it takes, gives and refuses', async () => {
    await using house = await openTestHouse({ engine });
    for (const { mount, routes, refusals } of documented) {
      const document = await readDocument(house, mount);
      assertOpenApi(document);
      assert.deepEqual(document.servers, [{ url: house.house.listening + mount }]);
      const operations = Object.values(document.paths).flatMap((at) => Object.values(at));
      assert.equal(operations.length, routes.length);
      for (const route of routes) assertDocuments(document, route, refusals);
    }
  });

  test('openapi.json of the guestbook holds what the guestbook answers [BOOK-137]', async () => {
    await using house = await openTestHouse({ engine });
    const document = await readDocument(house, '/guestbook');
    const { registerAgent, postEntry, listEntries, readHead } = guestbook_routes;
    const book = bookOf(house);
    const agent = makeAgent('documented');
    const assertAsDocumented = (route: Route, answer: Answer, status: number) => {
      const holds = assertDocuments(document, route, guestbook_refusals);
      assert.equal(answer.status, status, answer.text);
      assert.ok(holds[status]?.(answer.body), `${route.name} ${status}: ${answer.text}`);
      // A schema that takes everything would hold as well.
      assert.ok(!holds[status]?.({ ...(answer.body as object), more: 1 }));
    };
    const line = agent.post({ date: book.today(), message: 'A line' });
    assertAsDocumented(readHead, await book.head(), 200);
    assertAsDocumented(postEntry, await book.post(line), 404);
    assertAsDocumented(registerAgent, await book.register(agent.registration()), 201);
    assertAsDocumented(registerAgent, await book.register(agent.registration()), 409);
    assertAsDocumented(registerAgent, await book.register('{}'), 400);
    assertAsDocumented(postEntry, await book.post({ ...line, message: 'Another' }), 401);
    assertAsDocumented(postEntry, await book.post(line), 201);
    assertAsDocumented(postEntry, await book.post(line), 409);
    assertAsDocumented(listEntries, await book.entries(), 200);
    assertAsDocumented(listEntries, await book.entries('?limit=0'), 400);
    await house.command('guestbook', 'hide', { seq: 1 });
    assertAsDocumented(listEntries, await book.entries(), 200);
    assertAsDocumented(readHead, await book.head(), 200);
    await house.command('guestbook', 'suspend');
    assertAsDocumented(postEntry, await book.post(line), 503);
    assertAsDocumented(registerAgent, await book.register(line), 503);
  });
});
