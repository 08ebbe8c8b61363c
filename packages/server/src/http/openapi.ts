import swagger from '@fastify/swagger';
import type { Route } from '@stoa/wire';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { type TObject, type TSchema, Type } from 'typebox';
import type { Room } from '../room.ts';
import { version } from '../version.ts';

/** Collects the routes of a scope for its `openapi.json`; validation and printing stay our own. */
export async function documentRoom(scope: FastifyInstance, room: Room): Promise<void> {
  scope.setValidatorCompiler(() => () => true);
  scope.setSerializerCompiler(() => JSON.stringify);
  await scope.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `Stoa: ${room.name}`,
        description: room.summary,
        version: version,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
    },
    transform: ({ schema, url }) => nameRest(schema, url.slice(room.mount.length)),
  });
}

/** Gives the rest of a path, which the router calls `*`, the name that is the title of its schema, or `path`. */
function nameRest(schema: FastifySchema, url: string): { schema: FastifySchema; url: string } {
  // @NOTE Parameters are described by the routes of the wire, or not at all.
  const { '*': rest, ...others } = (schema.params as TObject | undefined)?.properties ?? {};
  if (!rest) return { schema, url };
  const { title: name = 'path' } = rest as { title?: string };
  const params = Type.Object({ ...others, [name]: rest });
  return { schema: { ...schema, params }, url: url.replace(/\*$/, `:${name}`) };
}

/** One of two bodies where the route reads either; one that may be absent has no required member. */
function bodySchema({ body_instead }: Route, body: TObject): TSchema {
  return body_instead ? Type.Union([body, body_instead.body]) : body;
}

const form_type = 'application/x-www-form-urlencoded';
const page_content = { 'text/html': { schema: { type: 'string' } } };

/** What is answered: JSON, unless the schema of a text says of which media type it is. */
function answerSchema(schema: TSchema): TSchema {
  const { contentMediaType: media_type } = schema as { contentMediaType?: string };
  return media_type === undefined
    ? { description: 'Success', ...schema }
    : { description: 'Success', content: { [media_type]: { schema } } };
}

/** JSON for programs, and a page for who has sent a form. */
const withPage = ({ description = 'Success', ...schema }: TSchema & { description?: string }) => ({
  description,
  content: { 'application/json': { schema }, ...page_content },
});

/** What a route answers to a form where it answers nothing else with that status: the way on. */
const way_on = {
  description: 'To a form: the way on',
  headers: { location: { type: 'string', description: 'where to go on' } },
  content: page_content,
};

/** What a route takes and gives, refusals by status, as the collector of OpenAPI wants it. */
export function openApiSchema(room: Room, route: Route): FastifySchema {
  const refusals = new Map<number, string[]>();
  for (const code of route.refusals) {
    const { status, message, code: said_code = code } = room.refusals[code] ?? {};
    if (status === undefined)
      throw new Error(`${route.path} lists ${code}, which ${room.name} lacks`);
    refusals.set(status, [...(refusals.get(status) ?? []), `\`${said_code}\`: ${message}`]);
  }
  const answers = Object.entries(route.answers).map(([status, schema]) => [
    status,
    answerSchema(schema),
  ]);
  const refused = [...refusals].map(([status, said]) => [
    status,
    {
      ...(room.envelope_schemas?.[status] ?? room.envelope_schema),
      description: said.join('\n\n'),
    },
  ]);
  const { takes_forms } = route;
  const response: Record<string, TSchema> = Object.fromEntries([...answers, ...refused]);
  if (takes_forms) {
    for (const [status, schema] of Object.entries(response)) {
      const has_page = Number(status) >= 400 || Number(status) === takes_forms.answers;
      if (has_page) response[status] = withPage(schema);
    }
    response[takes_forms.answers] ??= way_on;
  }
  return {
    operationId: route.name,
    summary: route.summary,
    ...(route.params ? { params: route.params } : {}),
    ...(route.query ? { querystring: route.query } : {}),
    ...(route.body ? { body: bodySchema(route, route.body) } : {}),
    ...(takes_forms ? { consumes: ['application/json', form_type] } : {}),
    response,
  };
}
