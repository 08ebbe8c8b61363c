import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Route } from '@stoa/wire';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { RefusalError } from '../refusal.ts';
import type { Admission, Document, Endpoint, OpenRoom, Page, Room, RoomAnswer } from '../room.ts';
import {
  answerErrors,
  answerUnknown,
  readFault,
  sendFaultPage,
  wantsPage,
} from './answer-faults.ts';
import { mountDocs } from './docs-page.ts';
import { Html } from './html.ts';
import { compileAnswerCheck, InputFault } from './input.ts';
import { mountRaw } from './mount-raw.ts';
import { observe } from './observe.ts';
import { documentRoom, openApiSchema } from './openapi.ts';
import { readBodies, wasForm } from './read-bodies.ts';
import { compileCall, readHead, readUnchecked } from './read-call.ts';
import { isNothing, unlisted } from './route-options.ts';
import { comesInParts, sendParts } from './send-parts.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the room made of the request before its body was read. */
    seen: { readonly value: unknown } | null;
  }
}

/** Answers the routes, pages and documents of an open room under its mount. */
export async function mountRoom(
  host: FastifyInstance,
  deps: Deps,
  room: Room,
  open: OpenRoom,
): Promise<void> {
  const mount: FastifyPluginAsync = async (scope) => {
    await documentRoom(scope, room);
    observe(scope, deps, room, open.before_all);
    readBodies(scope, room);
    answerErrors(scope, deps, room);
    answerUnknown(scope, deps, room, open);
    for (const endpoint of open.endpoints) mountEndpoint(scope, deps, room, endpoint);
    for (const page of open.pages) mountPage(scope, deps, room, page);
    for (const document of open.documents) mountDocument(scope, document);
    scope.get('/openapi.json', unlisted, async (_, reply) => {
      const servers = [{ url: deps.urls.room(room.name, room.mount) }];
      return reply.headers(open.document_headers ?? {}).send({ ...scope.swagger(), servers });
    });
    if (open.has_openapi_yaml) {
      scope.get('/openapi.yaml', unlisted, async (_, reply) => {
        const url = JSON.stringify(deps.urls.room(room.name, room.mount));
        const text = `${scope.swagger({ yaml: true }).trimEnd()}\nservers:\n  - url: ${url}\n`;
        return reply
          .type('application/yaml')
          .headers(open.document_headers ?? {})
          .send(text);
      });
    }
    if (open.has_docs) await mountDocs(scope, room);
    if (room.mount !== '' && open.pages.length > 0) {
      // Links on a page are relative to its folder, so the page stands under the slash.
      scope.get('', unlisted, (_, reply) => reply.redirect(`${room.mount}/`, 308));
    }
  };
  await host.register(mount, { prefix: room.mount });
  for (const raw of open.raw ?? []) await mountRaw(host, deps, { room, open, raw });
}

function mountEndpoint(
  scope: FastifyInstance,
  deps: Deps,
  room: Room,
  { route, before, refused, admit, answer, showForm }: Endpoint,
): void {
  const readCall = compileCall(deps, room, route);
  const checkAnswer = deps.checks_answers ? answerCheck(route) : undefined;
  const sendPage = async (status: number, { markup }: Html, reply: FastifyReply) => {
    if (checkAnswer && status !== route.takes_forms?.answers) {
      throw new Error(`${route.name} answered ${status} with a page, which it does not document`);
    }
    await reply.givePageHeaders();
    return reply.type('text/html; charset=utf-8').send(markup);
  };
  const sendBody = (body: unknown, reply: FastifyReply) =>
    comesInParts(body) ? sendParts(reply, body, deps.logger) : reply.send(body);
  const send = ({ status, body, headers }: RoomAnswer, reply: FastifyReply) => {
    if (headers) reply.headers(headers);
    reply.code(status);
    if (body instanceof Html) return sendPage(status, body, reply);
    if (!checkAnswer) return sendBody(body, reply);
    return checkAnswer(status, body).then((checked) => sendBody(checked, reply));
  };
  const answerAdmitted = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { seen, hint_if_wrong }: Extract<Admission, { seen: unknown }>,
  ) => {
    try {
      return await answer(readCall(request, reply), seen);
    } catch (error) {
      if (error instanceof InputFault) error.hint = hint_if_wrong;
      throw error;
    }
  };
  scope.route({
    method: route.method,
    url: route.path,
    schema: openApiSchema(room, route),
    config: route.takes_forms ? { takes_forms: true } : {},
    onRequest: (request, _reply, done) => {
      const params = request.params as Record<string, string>;
      for (const name in params) {
        // What the rest of a path may be is for its route to say.
        const is_rest = name === '*';
        if (!is_rest && isNothing(params[name] ?? '', room)) {
          throw new RefusalError(room.faults.not_found);
        }
      }
      if (!before) return done();
      before(readHead(deps, room, request)).then((value) => {
        request.seen = { value };
        done();
      }, done);
    },
    ...(refused || showForm
      ? {
          errorHandler: async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
            if (refused && request.seen) await refused(request.seen.value);
            // Without a body there is nothing to show again.
            const is_form = wasForm(request) && wantsPage(request) && request.body !== undefined;
            if (!showForm || !is_form) throw error;
            const refusal = readFault(deps, room, error, request);
            const unchecked = readUnchecked(deps, room, request);
            return sendFaultPage(deps, room, request, reply, refusal, (fault) =>
              showForm(unchecked, fault),
            );
          },
        }
      : {}),
    handler: async (request, reply) => {
      if (!admit) return send(await answer(readCall(request, reply), request.seen?.value), reply);
      const admission = await admit(readUnchecked(deps, room, request));
      if ('instead' in admission) return send(admission.instead, reply);
      const { settled } = admission;
      const answering = answerAdmitted(request, reply, admission);
      return send(await (settled ? answering.finally(settled) : answering), reply);
    },
  });
}

/** Holds answers to what their route documents, and gives them back; streams of JSON are read for it. */
function answerCheck(route: Route): (status: number, body: unknown) => Promise<unknown> {
  const name = `${route.method} ${route.path}`;
  const checks = new Map(
    Object.entries(route.answers).map(([status, schema]) => [
      Number(status),
      { check: compileAnswerCheck(schema, name), is_json: !('contentMediaType' in schema) },
    ]),
  );
  return async (status, body) => {
    const found = checks.get(status);
    if (!found) throw new Error(`${name} answered ${status}, which it does not document`);
    const { check, is_json } = found;
    // What comes in parts is text that never ends.
    if (comesInParts(body)) return body;
    if (!(body instanceof Readable)) {
      check(body);
      return body;
    }
    if (!is_json) return body;
    const octets = Buffer.concat(await body.map((part) => Buffer.from(part)).toArray());
    check(JSON.parse(octets.toString('utf8')));
    return octets;
  };
}

function mountPage(scope: FastifyInstance, deps: Deps, room: Room, page: Page): void {
  const readCall = compileCall(deps, room, page);
  const options = {
    ...unlisted,
    prefixTrailingSlash: 'slash',
    helmet: {},
    errorHandler: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      sendFaultPage(deps, room, request, reply, readFault(deps, room, error, request)),
  } as const;
  scope.get(page.path, options, async (request, reply) => {
    const { markup } = await page.render(readCall(request, reply));
    reply.headers(page.headers ?? {});
    if (page.revalidates) {
      const etag = `"${createHash('sha256').update(markup).digest('base64url')}"`;
      reply.header('etag', etag);
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    }
    return reply.type('text/html; charset=utf-8').send(markup);
  });
}

function mountDocument(scope: FastifyInstance, { path, content_type, headers, text }: Document) {
  scope.get(path, unlisted, async (_, reply) =>
    reply
      .type(content_type)
      .headers(headers ?? {})
      .send(await text()),
  );
}
