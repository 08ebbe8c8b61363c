import type { FastifyHelmetOptions } from '@fastify/helmet';
import { type Html, html } from './html.ts';

/** Headers of every page: nothing but our own style sheet and pictures, no scripts, no frames. */
export const page_headers: FastifyHelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  // The house may be served without TLS on a private network; the proxy in front decides.
  strictTransportSecurity: false,
  referrerPolicy: { policy: 'no-referrer' },
};

/** A whole page: `title` for the tab, `description` for search engines, `main` for the reader. */
export function htmlPage(page: {
  title: string;
  description: string;
  main: Html;
  home: string;
}): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title}</title>
<meta name="description" content="${page.description}">
<link rel="icon" href="/assets/stoa.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/stoa.css">
</head>
<body>
<header class="masthead"><a href="${page.home}">Stoa</a></header>
<main>
${page.main}
</main>
</body>
</html>
`;
}
