import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Room } from '../room.ts';
import { MediaTypeFault } from './http-faults.ts';
import { InputFault } from './input.ts';
import { parseJsonBody } from './json-body.ts';

/** Whether a content type is JSON in UTF-8, with `any_suffix` also of a kind of JSON, or is left out. */
function isJson(content_type: string | undefined, any_suffix: boolean): boolean {
  if (content_type === undefined) return true;
  const [type = '', ...parameters] = content_type
    .split(';')
    .map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  const is_json =
    type === 'application/json' || (any_suffix && /^[^\s/]+\/[^\s/]+\+json$/.test(type));
  return is_json && /^(charset="?utf-?8"?)?$/.test(charset ?? '');
}

declare module 'fastify' {
  interface FastifyContextConfig {
    takes_forms?: true;
  }
}

const forms = new WeakSet<FastifyRequest>();

/** Whether the body of a request came from a form of a page. */
export const wasForm = (request: FastifyRequest): boolean => forms.has(request);

/** The fields of a form, of which each is a text; of one that comes several times, the last. */
function parseForm(octets: Buffer): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(octets.toString('utf8')));
}

/** Reads every body of a scope as JSON, under the room's bounds, and forms where a route takes them. */
export function readBodies(scope: FastifyInstance, room: Room): void {
  const {
    any_content_type,
    any_json_suffix = false,
    body_bytes_max,
    json_nesting_max,
  } = room.bodies;
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: body_bytes_max },
    async (request: FastifyRequest, octets: Buffer) =>
      forms.has(request) ? parseForm(octets) : parseJsonBody(octets, json_nesting_max),
  );
  scope.addHook('preParsing', async (request) => {
    if (request.method === 'GET' || request.method === 'HEAD') return;
    const { takes_forms } = request.routeOptions.config;
    const is_form =
      takes_forms === true &&
      /^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '');
    if (is_form) forms.add(request);
    else if (!any_content_type && !isJson(request.headers['content-type'], any_json_suffix)) {
      throw new MediaTypeFault('content-type is not JSON in UTF-8; send application/json');
    }
    // Bodies of any type, or of none that is named, need no preflight, so a foreign page could post in
    // its visitors' names.
    const needs_no_preflight =
      is_form || any_content_type || request.headers['content-type'] === undefined;
    if (needs_no_preflight && request.headers['sec-fetch-site'] === 'cross-site') {
      throw new InputFault(
        'request comes from a page of another site; send it from a program of your own',
      );
    }
    // Fastify turns malformed content types away before it asks a parser for all of them.
    request.headers['content-type'] = 'application/json';
  });
}
