import type { Answer, Arguments, Command, CommandAnswer, Route } from '@stoa/wire';
import type { TObject } from 'typebox';
import type { Admission, CommandHandler, Endpoint, Page } from '../room.ts';
import type { Call, Head, PageAnswer, PageRoute, Unchecked } from './call.ts';
import type { Html } from './html.ts';

/**
 * Joins a route to the use case that answers it; both sides are held to the route's types here.
 * `before` looks at the request before its body is read, and what it answers is given to `answer`.
 */
export function endpoint<R extends Route, Seen = undefined>(
  route: R,
  answer: (call: Call<R>, seen: Seen) => Promise<Answer<R> | PageAnswer>,
  before?: (head: Head) => Promise<Seen>,
): Endpoint {
  // @NOTE The host validates every part of the call against the route before it calls `answer`.
  return { route, answer, ...(before ? { before } : {}) } as unknown as Endpoint;
}

/**
 * Joins a route to a use case whose requests `admit` looks at once their body is read, before their parts
 * are held to their schemas: it answers what the use case is given beside the call, or an answer in its
 * place, or throws a refusal.
 */
export function admittedEndpoint<R extends Route, Seen>(
  route: R,
  admit: (
    request: Unchecked,
  ) => Promise<
    | { seen: Seen; hint_if_wrong?: string; settled?: () => void }
    | Extract<Admission, { instead: unknown }>
  >,
  answer: (call: Call<R>, seen: Seen) => Promise<Answer<R>>,
): Endpoint {
  // @NOTE The host validates every part of the call against the route before it calls `answer`.
  return { route, admit, answer } as unknown as Endpoint;
}

/** Joins a command to what carries it out. */
export function handler<C extends Command>(
  command: C,
  run: (given: Arguments<C>) => Promise<CommandAnswer<C>>,
): CommandHandler {
  // @NOTE The admin socket validates the arguments against the command before it calls `run`.
  return { command, run } as unknown as CommandHandler;
}

/** A page at `path` that takes `query`. */
export function page<Query extends TObject>(
  path: string,
  query: Query,
  render: (call: Call<PageRoute<Query>>) => Promise<Html>,
  more: Pick<Page, 'headers' | 'revalidates'> = {},
): Page {
  // @NOTE The host validates the query against its schema before it calls `render`.
  return { path, query, render, ...more } as unknown as Page;
}
