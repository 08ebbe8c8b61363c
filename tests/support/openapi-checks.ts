import assert from 'node:assert/strict';
import { compileAnswerCheck } from '../../packages/server/src/http/input.ts';

type Schema = Parameters<typeof compileAnswerCheck>[0];
type Operation = {
  responses: Record<string, { content?: { 'application/json'?: { schema: Schema } } }>;
};
/** What is read of an OpenAPI document. */
export type OpenApi = { paths: Record<string, Record<string, Operation>> };

/** Throws if a body is not as it is documented. */
export type AnswerCheck = (body: unknown) => void;
export type AnswerChecks = (
  method: string,
  path: string,
  status: number,
) => AnswerCheck | undefined;

/** For each route and status of an OpenAPI document, the check of its body; undefined for no route. */
export function readChecks({ paths }: OpenApi): AnswerChecks {
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { responses }]) => ({
      method: method.toUpperCase(),
      // A path without a parameter goes before one that has it in the same place.
      has_parameter: path.includes('{'),
      matches: patternOf(path),
      route: `${method} ${path}`,
      responses,
    })),
  );
  const sorted = routes.sort((a, b) => Number(a.has_parameter) - Number(b.has_parameter));
  return (method, path, status) => {
    const bare = path.split('?', 1)[0] ?? '';
    const asked = method === 'HEAD' ? 'GET' : method;
    const route = sorted.find((one) => one.method === asked && one.matches.test(bare));
    if (!route) return undefined;
    const schema = route.responses[status]?.content?.['application/json']?.schema;
    assert.ok(schema, `openapi.json has no ${status} for ${method} ${path}`);
    return checkOf(schema, `${route.route} with ${status}`);
  };
}

/** What paths of a route look like; a name or a path at its end may have slashes in it. */
function patternOf(path: string): RegExp {
  const rest = path.replaceAll('.', '\\.').replace(/\{(name|path)\}$/, '.+');
  return new RegExp(`^${rest.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

const compiled = new Map<string, AnswerCheck>();

/** The check of a schema, compiled once for all houses of a test file. */
function checkOf(schema: Schema, what: string): AnswerCheck {
  const key = `${what} ${JSON.stringify(schema)}`;
  const check = compiled.get(key) ?? compileAnswerCheck(schema, what);
  compiled.set(key, check);
  return check;
}
