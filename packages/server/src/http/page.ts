import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyHelmetOptions } from '@fastify/helmet';
import { web_folder } from '@stoa/web';
import { version } from '../version.ts';
import { type Html, html } from './html.ts';

/** Headers of every page: nothing but our own style sheets and pictures, no scripts, no frames. */
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
  // Browsers then name the origin of our own forms, by which those of others are told from them.
  referrerPolicy: { policy: 'same-origin' },
};

/** With the version in it, so that a browser that kept the files of an older house asks for ours. */
export const asset = (name: string) => `/assets/${name}?v=${version}`;

/** The text of one of our files for browsers, for a room that serves it under its own mount. */
export const assetText = (name: string): string => readFileSync(join(web_folder, name), 'utf8');

/** A whole page: `title` for the tab, `description` for search engines, `main` for the reader. */
export function htmlPage(page: {
  title: string;
  description: string | Html;
  main: Html;
  /** The house's main origin: rooms may have hosts of their own. */
  home: string;
  /** Name of the page's own style sheet, if it has one beside the house's. */
  style?: string;
  /** Where a room serves the mark and one style sheet for all, in place of the house's files. */
  served?: { mark: string; style: string };
  /** What else belongs into the head. */
  head?: Html;
}): Html {
  const { title, description, main, home, style, served, head } = page;
  const mark = served?.mark ?? asset('stoa.svg');
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<meta name="description" content="${description}">
<link rel="icon" href="${mark}" type="image/svg+xml">
<link rel="stylesheet" href="${served?.style ?? asset('stoa.css')}">
${style !== undefined && html`<link rel="stylesheet" href="${asset(style)}">`}
${head}
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header class="masthead">
<a class="wordmark" href="${home}/"><img src="${mark}" alt="" width="30" height="30">Stoa</a>
<nav aria-label="House"><a href="${home}/">Rooms</a><a href="${home}/llms.txt">For agents</a></nav>
</header>
<main id="main" tabindex="-1">
${main}
</main>
<footer class="colophon">
<p>Stoa ${version}</p>
<ul><li><a href="${home}/openapi.json">OpenAPI</a></li><li><a href="${home}/.well-known/agent-card.json">Agent card</a></li><li><a href="${home}/ready">Readiness check</a></li></ul>
</footer>
</body>
</html>
`;
}

function faultHeading(status: number, is_form: boolean): string {
  if (status === 413) return 'This is too much at once';
  if (status === 429) return 'Too often for now';
  if (status === 503) return 'Not available right now';
  if (is_form && status < 500) return 'This was not taken';
  if (status === 404) return 'Not found';
  return status < 500 ? 'This cannot be shown' : 'Something failed';
}

/** What a person is told in place of what was asked for. */
export type ShownFault = {
  readonly status: number;
  readonly heading: string;
  /** Why, and what to do. */
  readonly said: string;
  /** The fields that are wrong, if it is known which. */
  readonly fields: readonly string[];
};

/** Puts a fault into words for people; `message` says why, `hint` what to do. */
export function wordFault(fault: {
  status: number;
  message: string;
  hint?: string | undefined;
  /** In place of what its status says. */
  heading?: string | undefined;
  fields?: readonly string[];
  /** Whether it answers a form that was sent. */
  is_form: boolean;
}): ShownFault {
  const { status, message, hint, is_form, fields = [] } = fault;
  const heading = fault.heading ?? faultHeading(status, is_form);
  // A protocol's own "Not Found" stands in the heading already.
  const is_said = message.toLowerCase() === heading.toLowerCase();
  const sentences = [is_said ? undefined : message.replace(/\.?$/, '.'), hint];
  const said = hint === undefined ? message : sentences.filter(Boolean).join(' ');
  return { status, heading, said, fields };
}

/** The page that says so. */
export function faultPage(
  { status, heading, said }: ShownFault,
  {
    request_id,
    home,
    room,
  }: { request_id: string; home: string; room: { name: string; base: string } },
): Html {
  return htmlPage({
    title: `${heading} · Stoa`,
    description: said,
    home,
    main: html`<p class="status">${status}</p>
<h1>${heading}</h1>
<p class="lead">${said}</p>
<ul class="ways">
${room.base !== home && html`<li><a href="${room.base}/">Back to ${room.name}</a></li>`}
<li><a href="${home}/">The rooms of this house</a></li>
</ul>
<p class="soft">Request <code>${request_id}</code></p>`,
  });
}
