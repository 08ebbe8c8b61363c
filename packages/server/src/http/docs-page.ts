import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { Room } from '../room.ts';
import { html } from './html.ts';
import { asset, page_headers } from './page.ts';

/** The files of Swagger UI: a script, a style sheet. */
const files_folder = join(
  dirname(fileURLToPath(import.meta.resolve('@fastify/swagger-ui'))),
  'static',
);
const file_names = new Set(['swagger-ui-bundle.js', 'swagger-ui.css']);

/** As strict as the page can bear: scripts, styles and requests of this origin, and pictures in the style sheet. */
const docs_headers = {
  ...page_headers,
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
};

const serveFiles: FastifyPluginAsync = async (files) => {
  // What lies outside of the folder is, for who asks, not there.
  files.setErrorHandler((_error, _request, reply) => reply.callNotFound());
  await files.register(fastifyStatic, {
    root: files_folder,
    prefix: '/docs/files/',
    decorateReply: false,
    schemaHide: true,
    maxAge: '1h',
    allowedPath: (path) => file_names.has(path.replace(/^\//, '')),
  });
};

/** A page on which people read the room's `openapi.json` and try it out; everything on it is this server's. */
export async function mountDocs(scope: FastifyInstance, room: Room): Promise<void> {
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${room.name}: the API</title>
<link rel="icon" href="${asset('stoa.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="docs/files/swagger-ui.css">
<link rel="stylesheet" href="${asset('api-docs.css')}">
</head>
<body>
<nav><a href="./">${room.name}</a></nav>
<main id="docs"><p>This page needs scripts. Without them read <a href="openapi.json">openapi.json</a>.</p></main>
<script src="docs/files/swagger-ui-bundle.js"></script>
<script src="${asset('api-docs.js')}"></script>
</body>
</html>
`;
  scope.get('/docs', { schema: { hide: true }, helmet: docs_headers }, (_, reply) =>
    reply.type('text/html; charset=utf-8').send(markup),
  );
  await scope.register(serveFiles);
}
