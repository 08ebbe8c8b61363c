import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isForeignForm } from '../is-foreign-form.ts';
import { memo } from '../memo.ts';
import type { Room } from '../room.ts';
import { MediaTypeFault } from './http-faults.ts';
import { InputFault } from './input.ts';
import { parseJsonBody } from './json-body.ts';

/** Whether a content type is JSON in UTF-8, with `any_suffix` also of a kind of JSON. */
function isJson(content_type: string, any_suffix: boolean): boolean {
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

const parsed_type = 'application/json';
/** Few clients write it in another way. */
const content_types_kept_max = 100;

const forms = new WeakSet<FastifyRequest>();

/** Whether the body of a request came from a form of a page. */
export const wasForm = (request: FastifyRequest): boolean => forms.has(request);

/** The fields of a form, of which each is a text; of one that comes several times, the last. */
function parseForm(octets: Buffer): Record<string, string> {
  const text = octets.toString('utf8');
  // Browsers encode the braces of a form; curl calls what it sends a form unless it is told otherwise.
  if (/^\s*[{[]/.test(text)) {
    throw new MediaTypeFault(
      'body looks like JSON and is called a form; send it with content-type: application/json',
    );
  }
  return Object.fromEntries(new URLSearchParams(text));
}

/** Reads every body of a scope as JSON, under the room's bounds, and forms where a route takes them. */
export function readBodies(scope: FastifyInstance, room: Room): void {
  const {
    any_content_type,
    any_json_suffix = false,
    body_bytes_max,
    json_nesting_max,
  } = room.bodies;
  const isTaken = memo(content_types_kept_max, (content_type) =>
    isJson(content_type, any_json_suffix),
  );
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    // By its name the one that all bodies are given below is found at once.
    [parsed_type, '*'],
    { parseAs: 'buffer', bodyLimit: body_bytes_max },
    // No promise is made for a body, here and below: every request would wait for it.
    (request: FastifyRequest, octets: Buffer, done) =>
      done(null, forms.has(request) ? parseForm(octets) : parseJsonBody(octets, json_nesting_max)),
  );
  scope.addHook('preParsing', (request, _reply, _payload, done) => {
    if (request.method === 'GET' || request.method === 'HEAD') return done();
    const { takes_forms } = request.routeOptions.config;
    const content_type = request.headers['content-type'];
    const is_form =
      takes_forms === true && /^application\/x-www-form-urlencoded\b/i.test(content_type ?? '');
    if (is_form) forms.add(request);
    else if (!any_content_type && content_type !== undefined && !isTaken(content_type)) {
      throw new MediaTypeFault('content-type is not JSON in UTF-8; send application/json');
    }
    // Bodies of any type, or of none that is named, need no preflight, so a foreign page could post in
    // its visitors' names.
    const needs_no_preflight = any_content_type || content_type === undefined;
    const is_foreign = needs_no_preflight && request.headers['sec-fetch-site'] === 'cross-site';
    // A form does what a person does here, and no page beside ours is trusted with that.
    if (is_form ? isForeignForm(request.headers) : is_foreign) {
      throw new InputFault(
        'request comes from a page of another site; send it from a program of your own',
      );
    }
    // Fastify turns malformed content types away before it asks a parser for all of them.
    request.headers['content-type'] = parsed_type;
    done();
  });
}
