import type { ClientRequest } from 'node:http';
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { page_headers } from './page.ts';

type Headers = ReadonlyMap<string, string>;

declare module 'fastify' {
  interface FastifyContextConfig {
    page_headers?: Promise<Headers>;
  }
  interface FastifyReply {
    /** Gives this answer the headers of a page. */
    givePageHeaders(): Promise<void>;
  }
}

/** The headers that helmet gives, which are the same for every answer. */
async function askHelmet(options: FastifyHelmetOptions): Promise<Headers> {
  const headers = new Map<string, string>();
  const asked = Fastify();
  await asked.register(helmet, options);
  asked.get('/', async (_, { raw }) => {
    // @NOTE Node documents it for requests alone, and has it for all messages that go out.
    const names = (raw as unknown as ClientRequest).getRawHeaderNames();
    for (const name of names) headers.set(name, String(raw.getHeader(name)));
  });
  await asked.inject('/');
  await asked.close();
  return headers;
}

async function give(reply: FastifyReply, headers: Promise<Headers>): Promise<void> {
  for (const [name, value] of await headers) reply.raw.setHeader(name, value);
}

/**
 * Gives the headers of pages to routes with `helmet` among their options, and to answers that ask for them. Helmet
 * is asked once what they are: its own hooks make promises and functions for every request, and few are for a page.
 */
export function givePageHeaders(host: FastifyInstance): void {
  const usual = askHelmet(page_headers);
  host.decorateReply('givePageHeaders', function (this: FastifyReply) {
    return give(this, usual);
  });
  host.addHook('onRoute', (route) => {
    // @NOTE No route of ours says `false` there.
    const own = route.helmet as FastifyHelmetOptions | undefined;
    if (!own) return;
    const is_usual = Object.keys(own).length === 0;
    const headers = is_usual ? usual : askHelmet(own);
    route.config = { ...route.config, page_headers: headers };
  });
  host.addHook('onRequest', (request, reply, done) => {
    const { page_headers: headers } = request.routeOptions.config;
    if (!headers) return done();
    give(reply, headers).then(() => done(), done);
  });
}
